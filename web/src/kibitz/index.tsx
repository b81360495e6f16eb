export { KibitzPanel } from "./KibitzPanel";
