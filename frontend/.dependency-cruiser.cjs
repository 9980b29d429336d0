/* house.md's order for the page: model < transport < store < features < app; ui knows no domain word. */
const features =
  "^src/features/(canvas|inspector|outline|problems|slots|design|agents|simulate|publish|live|review|admin)/";
module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    { name: "model-is-pure", severity: "error", from: { path: "^src/model/" }, to: { pathNot: "^src/model/" } },
    { name: "ui-knows-no-domain", severity: "error", from: { path: "^src/ui/" }, to: { path: "^src/(app|model|store|transport|features)/" } },
    { name: "transport-sits-on-model", severity: "error", from: { path: "^src/transport/" }, to: { path: "^src/(app|store|ui|features)/" } },
    { name: "store-sits-below-features", severity: "error", from: { path: "^src/store/" }, to: { path: "^src/(app|ui|features)/" } },
    {
      name: "features-are-strangers",
      comment: "A feature opens another only by its index: canvas is the picture all screens share, design composes the panels.",
      severity: "error",
      from: { path: features, pathNot: "^src/features/design/" },
      to: { path: features, pathNot: ["^src/features/$1/", "^src/features/canvas/index\\.ts$"] },
    },
    {
      name: "design-opens-front-doors",
      severity: "error",
      from: { path: "^src/features/design/" },
      to: { path: features, pathNot: ["^src/features/design/", "^src/features/[a-z]+/index\\.ts$"] },
    },
    { name: "nobody-imports-app", severity: "error", from: { pathNot: "^src/(app/|main\\.tsx$)" }, to: { path: "^src/app/" } },
    { name: "every-file-has-a-room", severity: "error", from: { pathNot: `^src/((app|model|store|transport|ui)/|main\\.tsx$)|${features}|node_modules` }, to: {} },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "require", "node", "default", "types"] },
  },
};
