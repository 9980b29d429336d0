export { DesignScreen, type DesignParts, type DesignScreenProps, type DrawerTab } from "./DesignScreen";
