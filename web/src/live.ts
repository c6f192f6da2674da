// Asks the solver behind the page (weft explore) about what the reader supposes, one question at a time.
import type { Claim } from "./findings";
import type { State } from "./state";
import type { Effect, NextSteps, Part, Reason } from "./view";

type Kind = "figures" | "graphs" | "next" | "why" | "effects";

interface Question {
  kind: Kind;
  suppositions: readonly Claim[];
  /** For why and effects: which. */
  pair?: number;
}

interface Reply {
  view: Part;
  counted: [number, boolean];
  next_steps: NextSteps | null;
  reasons: Reason[];
  effects: Effect[] | null;
}

const SAID: Record<Kind, string> = { figures: "asking the solver …", graphs: "still counting …", next: "", why: "", effects: "" };
const GONE = "the solver does not answer (is weft explore still running?)";
const BUSY = "the solver is busy with others, asking again …";
// Milliseconds. What to do next is asked when the reader has paused, since it is the longest to work out.
const PAUSE = 150;
const AGAIN = 300;

export class Live {
  private running: { question: Question; abort: AbortController } | null = null;
  private timer = 0;
  private readonly client = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  constructor(
    private readonly state: State,
    private readonly address: string,
  ) {
    state.listen((what) => {
      if (what === "suppositions" || what === "selection") this.go();
    });
  }

  /** Whether everything is known of what is supposed and chosen. */
  get done(): boolean {
    return this.wanted() === null;
  }

  /** Ask what is not known yet; a question that nobody waits for any longer is dropped. */
  private go(): void {
    const question = this.wanted();
    if (this.running && question && same(this.running.question, question)) return;
    this.running?.abort.abort();
    this.running = null;
    clearTimeout(this.timer);
    if (question === null) return this.say("", this.state.trouble);
    this.say(this.state.standing.exact ? "" : SAID[question.kind], this.state.trouble);
    if (question.kind === "next") this.timer = window.setTimeout(() => void this.ask(question), PAUSE);
    else void this.ask(question);
  }

  /** The first thing to ask: the figures, then the chosen pair (why it is so, how large its effects are), then all structures, then what to do next. */
  private wanted(): Question | null {
    const { state } = this;
    const { suppositions, selected } = state;
    if (state.view.consistent === false) return null;
    const told = state.toldOf(suppositions);
    if (told.base === undefined) return { kind: "figures", suppositions };
    if (selected !== null && !told.reasons.has(selected)) return { kind: "why", suppositions, pair: selected };
    if (selected !== null && state.view.effects !== null && !state.gone && !told.effects.has(selected)) return { kind: "effects", suppositions, pair: selected };
    if (!told.patient && !state.standing.exact) return { kind: "graphs", suppositions };
    if (told.next === undefined && !state.gone) return { kind: "next", suppositions };
    return null;
  }

  private async ask(question: Question): Promise<void> {
    const abort = new AbortController();
    const running = { question, abort };
    this.running = running;
    let reply: Response;
    let content: Reply & { error?: string };
    try {
      reply = await fetch(this.address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ client: this.client, ...question }),
        signal: abort.signal,
        credentials: "omit",
        cache: "no-store",
      });
      content = (await reply.json()) as typeof content;
    } catch {
      // Given up by the page itself, or nobody answers; the next thing the reader does asks again.
      if (this.running === running) this.stop(GONE);
      return;
    }
    if (this.running !== running) return;
    if (reply.status === 409) return this.later(AGAIN, "");
    if (reply.status === 429 || reply.status === 503) return this.later(1000 * (Number(reply.headers.get("Retry-After")) || 1), BUSY);
    if (!reply.ok) return this.stop(`the solver says: ${content.error ?? reply.status}`);
    this.running = null;
    this.say(this.state.asking, "");
    this.take(question, content);
  }

  private take(question: Question, reply: Reply): void {
    const { kind, suppositions } = question;
    const told = this.state.toldOf(suppositions);
    if (kind === "figures" || kind === "graphs") {
      return this.state.learn(suppositions, reply.view, reply.counted, kind === "graphs" || reply.view.graphs.complete); // which asks on
    }
    if (kind === "next") told.next = reply.next_steps;
    else if (kind === "effects") told.effects.set(question.pair!, reply.effects);
    else told.reasons.set(question.pair!, reply.reasons);
    this.go();
    this.state.tell("asked");
  }

  private later(wait: number, trouble: string): void {
    this.running = null;
    this.say(this.state.asking, trouble);
    this.timer = window.setTimeout(() => this.go(), wait);
  }

  private stop(trouble: string): void {
    this.running = null;
    this.say("", trouble);
  }

  private say(asking: string, trouble: string): void {
    if (this.state.asking === asking && this.state.trouble === trouble) return;
    Object.assign(this.state, { asking, trouble });
    this.state.tell("asked");
  }
}

function same(a: Question, b: Question): boolean {
  return a.kind === b.kind && a.suppositions === b.suppositions && a.pair === b.pair;
}
