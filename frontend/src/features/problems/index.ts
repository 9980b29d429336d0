export { ProblemList, goToProblem, ordered, placeOf, useProblemKeys } from "./ProblemList";
