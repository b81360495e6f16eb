export { ReplayPage } from "./ReplayPage";
