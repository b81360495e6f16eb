// A program that plays over Kiebitz's line protocol (docs/protocol.md): Nim by Bouton's theory (1901), every other game
// at random. It needs Node.js and nothing else:
//
//     kiebitz match nim 'process("node examples/process_agent.mjs")' random --games 20

import { createInterface } from "node:readline";

let params = {};
let random = generator(0);

// Small and repeatable (mulberry32): the seed of the game decides what is played.
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// Does the player to move lose against perfect play?
function isLost(heaps, misere) {
  if (misere && heaps.every((heap) => heap <= 1)) return heaps.filter((heap) => heap === 1).length % 2 === 1;
  return heaps.reduce((sum, heap) => sum ^ heap, 0) === 0;
}

// Actions of Nim are called "heap:number"; heaps count from 1.
function leavesLostPosition(view, action) {
  const [heap, number] = action.name.split(":").map(Number);
  const heaps = [...view.heaps];
  heaps[heap - 1] -= number;
  return isLost(heaps, params.misere);
}

function choose({ view, legal }) {
  const good = view.game.name === "nim" ? legal.find((action) => leavesLostPosition(view.view, action)) : undefined;
  return (good ?? legal[Math.floor(random() * legal.length)]).action;
}

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === "hello") {
    params = message.params;
    console.log(JSON.stringify({ protocol: 1, name: "example in JavaScript" }));
  } else if (message.type === "game") {
    random = generator(message.seed);
  } else if (message.type === "move") {
    console.log(JSON.stringify({ action: choose(message) }));
  } else if (message.type === "quit") {
    break;
  }
}
process.exit(0);
