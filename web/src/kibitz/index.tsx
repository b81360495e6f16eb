export { KibitzPanel, Thinking } from "./KibitzPanel";
