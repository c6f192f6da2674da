// What is supposed, behind the "#" of the address, so that a state of the page can be sent:
//   report.html#graph&suppose=causes,age,stroke&suppose=not-adjacent,age,tar
// It is read as text and looked up among the names of the view; nothing of it is taken over otherwise.
import { h } from "./dom";
import { type Claim, claimOf, key, opposite } from "./findings";
import type { State } from "./state";

const TOPICS = ["causes", "adjacent", "confounded"] as const;
const DENIED = "not-";
const WANTED = "suppose=";
const SHOWN = 60; // signs of what is ignored

interface Read {
  /** The part of the page that is shown, "" if none is named. */
  part: string;
  /** Whether the address says anything of suppositions. */
  supposes: boolean;
  claims: Claim[];
  /** What was not understood or cannot be, and why. */
  ignored: string[];
}

// -- writing -------------------------------------------------------------------------------------------------------------

/** Signs at which programs that make links of text may end one are written as codes, too. */
function encoded(name: string, position: number): string {
  try {
    return encodeURIComponent(name).replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
  } catch {
    return `@${position}`; // half of a sign cannot be written
  }
}

/** Suppositions as they stand behind the "#". */
export function written(state: State, part: string): string {
  const { variables } = state.view;
  const claims = state.suppositions.map(({ topic, x, y, holds }) => `${WANTED}${holds ? "" : DENIED}${topic},${encoded(variables[x]!, x)},${encoded(variables[y]!, y)}`);
  return [...(part ? [part] : []), ...claims].join("&");
}

// -- reading -------------------------------------------------------------------------------------------------------------

export function read(state: State, fragment: string): Read {
  const found: Read = { part: "", supposes: false, claims: [], ignored: [] };
  for (const piece of fragment.replace(/^#/, "").split("&")) {
    if (!piece.startsWith(WANTED)) {
      if (document.getElementById(piece)?.tagName === "SECTION") found.part ||= piece;
      continue;
    }
    found.supposes = true;
    const text = piece.slice(WANTED.length);
    const claim = claimIn(state, text);
    const why = typeof claim === "string" ? claim : unfit(state, claim, found.claims);
    if (why !== "") found.ignored.push(`“${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}” (${why})`);
    else if (typeof claim !== "string" && !found.claims.some((other) => key(other) === key(claim))) found.claims.push(claim);
  }
  return found;
}

/** A claim, or what is wrong with it. */
function claimIn({ view }: State, text: string): Claim | string {
  const [what = "", ...names] = text.split(",");
  const topic = TOPICS.find((one) => what === one || what === DENIED + one);
  if (topic === undefined || names.length !== 2) return "it is not of the form causes,X,Y";
  const [x, y] = names.map((name) => position(view.variables, name)) as [number, number];
  if (x < 0 || y < 0) return "this page has no such variable";
  if (x === y) return "it names one variable twice";
  const claim = claimOf(topic, x, y);
  return what === topic ? claim : opposite(claim);
}

function position(variables: readonly string[], text: string): number {
  if (/^@\d{1,6}$/.test(text)) return Number(text.slice(1)) < variables.length ? Number(text.slice(1)) : -1;
  try {
    return variables.indexOf(decodeURIComponent(text));
  } catch {
    return -1;
  }
}

/** Why a claim cannot be supposed here; "" if it can. */
function unfit(state: State, claim: Claim, others: readonly Claim[]): string {
  if (state.view.consistent === false || (!state.live && state.solutions.number === 0)) return "nothing can be supposed here";
  if (!state.live && !state.solutions.decidable(claim)) return "this page cannot tell what would be left; weft explore can";
  return others.some((other) => key(other) === key(opposite(claim))) ? "another one says the opposite" : "";
}

// -- both ----------------------------------------------------------------------------------------------------------------

/** Keeps page and address in step from when it is started; the note says what of the address was ignored. */
export function address(state: State): { note: HTMLElement; start(): void } {
  const note = h("p", { class: "note ignored", role: "status", hidden: true });
  let part = "";
  let restoring = false;
  let before = "";

  function restore(): Read {
    const found = read(state, location.hash);
    part = found.part;
    if (!found.supposes) return found;
    restoring = true;
    if (found.claims.map(key).join() !== state.suppositions.map(key).join()) state.suppose(found.claims);
    restoring = false;
    note.textContent = `Ignored in the address: ${found.ignored.join("; ")}.`;
    note.hidden = found.ignored.length === 0;
    return found;
  }

  function write(): void {
    const fragment = written(state, part);
    const next = `${location.href.split("#")[0]}${fragment ? `#${fragment}` : ""}`;
    try {
      if (next !== location.href) history.replaceState(history.state, "", next);
    } catch {
      // A page inside another one may not change its address; all else works.
    }
  }

  function start(): void {
    state.listen((what) => {
      if (what !== "suppositions") return;
      // The solver's answer comes with the same suppositions.
      const now = written(state, "");
      if (!restoring && now !== before) {
        note.hidden = true;
        write();
      }
      before = now;
    });
    window.addEventListener("hashchange", () => {
      restore();
      write();
    });
    const found = restore();
    // The browser goes to a part by itself only where the address names nothing else.
    if (found.supposes) document.getElementById(found.part)?.scrollIntoView();
    write();
  }

  return { note, start };
}
