/** Wires large lanes off the page's own thread: a scene in, its ways out, both with the number they were asked by. */
import type { Asked, Answered } from "./wirer";
import { wire } from "./wiring";

const scope = self as unknown as { onmessage: ((event: MessageEvent<Asked>) => void) | null; postMessage(answer: Answered): void };

scope.onmessage = ({ data }) => scope.postMessage({ number: data.number, routes: wire(data.scene) });
