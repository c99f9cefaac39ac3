// What the page's own modules hand to each other; what the program sends is in contract.d.ts.

import type {
  Answers,
  Call,
  CallSplices,
  CarromsStanding,
  CastleCroquetnoleStanding,
  Choice as DisasterChoice,
  ClipOutlines,
  Declaration,
  Evidence,
  IrregularityShown,
  FlickTurn,
  HandTopic,
  Incident,
  InPicture,
  LawnTurn,
  Lie,
  LineCrossed,
  MatchTopic,
  NamingTopic,
  PiecepackCroquet,
  PiecepackCroquetRow,
  Player,
  Problem,
  QuestionAnswer,
  QuestionShown,
  RecordTopic,
  Requests,
  RoutesFound,
  RulingAsked,
  RulingMade,
  Shot,
  TableTopic,
  TabletopCroquetStanding,
  Topics,
  Weighed,
} from "./contract";

export * from "./contract";
export type { DisasterChoice };

/** What draws a part of a page, and the topics that it shows. */
export type Part = [(state: Topics) => void, (keyof Topics)[]];
export type Connection = "open" | "lost" | "refused" | "ended";

/** [x, y]: of the table frame in mm, or a point or space of a board. */
export type Point = [number, number];

/** A direction on a lawn or a board, and one through a line. */
export type Way = NonNullable<PiecepackCroquet["direction"]>;
export type LineWay = LineCrossed["direction"];

export type Standing = NonNullable<Topics["standing"]>;
export type Game = Standing["game"];
export type Status = Standing["status"];

/** What any of several shapes may have. */
type KeysOf<T> = T extends unknown ? keyof T : never;
type Merged<T> = { [K in KeysOf<T>]?: T extends { [k in K]?: infer V } ? V : never };

/** A row, a turn and a standing of whatever game. */
export type AnyRow = Merged<Standing["standings"][number]> & { player: string };
export type AnyTurn = Merged<Standing["turn"]> & { player: string; expects: string };
export interface AnyStanding extends Pick<Standing, "game" | "status" | "winner" | "questions"> {
  turn: AnyTurn;
  standings: AnyRow[];
}
/** What names pieces need of a standing. */
export type Pieces = Pick<AnyStanding, "game" | "standings">;
export interface FlickStanding extends AnyStanding {
  turn: FlickTurn;
}
export type FlickingGame =
  | TabletopCroquetStanding
  | CastleCroquetnoleStanding
  | CarromsStanding;

export type Child = Node | string | null | undefined;
export type Words = Child | Child[];
export type Attributes = Record<string, string | number | boolean | null | undefined>;
export type Fields = Record<string, unknown>;

/** A part of the table frame as SVG has it (y down), mm. */
export interface View {
  x: number;
  y: number;
  width: number;
  height: number;
}
/** Radii of a coin and of its mark, mm; `px` is a sixteenth of a letter's height. */
export interface Sizes {
  coin: number;
  mark: number;
  px: number;
}
/** The step that is next: a line with the way through it, or on a board a heading. */
export interface Next {
  place: string;
  outward?: boolean | null;
  heading?: string | null;
  arrow?: number;
}
export interface Target {
  coin?: string;
  at: Point;
  reach?: number;
}
/** A coin's place in a flick: time, x, y, standard uncertainty, and whether it was seen. */
export type PathPoint = [number, number, number, number, number];
export type Paths = Record<string, PathPoint[]>;

/** What people look at again, and may rule on. */
export interface Looked {
  on: string;
  text: string;
  rule?: string;
  /** The flick that it was made of. */
  flick?: Looked;
  /** What people decided about it. */
  fate?: Fate;
}
/** A clip on the page over which something can be drawn. `decided` is when, s since it begins. */
export interface ClipShown {
  film: HTMLVideoElement;
  stage: HTMLElement;
  frames: HTMLElement;
  outlines: ClipOutlines;
  shown: Partial<Evidence>;
  on: string;
  decided: number | null;
  close: boolean;
}
export interface Measured {
  margin_mm?: number;
  sigma_mm?: number;
  probability?: number | null;
}
/** What the camera could not see, as a line among the calls. */
export interface NotSeen {
  on: string;
  call: "unseen";
  text: string;
  unseen: Evidence;
}
export type CallLine = (Call & Measured) | NotSeen;
/** A row of the list of calls: a `line`, or several lines that are folded into a `run`. */
export interface CallRow {
  line?: CallLine;
  /** The flick that a call was made of, which has no row of its own. */
  flick?: CallLine;
  /** Who flicked, where no call of the flick says it. */
  who?: string;
  /** That the turn is over, which has no row of its own. */
  ends?: CallLine;
  run?: CallLine[];
}

export interface Choice<T> {
  element: HTMLElement;
  value: () => T;
}
export type Option<T> = [T, Words];
export interface PlacePick extends Choice<Point | null> {
  place: (next: Point | null, words: string, how?: string) => void;
}
/** A ball whose route is entered: its place, and the words for the directions it may take. */
export interface Routed {
  pawn: string;
  start: Point;
  table: TableTopic;
  words: Partial<Record<Way, string>>;
  entries: number;
}
/** A ball that is sent straight on: at most how far, what is chosen, and what chooses it. */
export interface StraightBall {
  pawn: string;
  at: Point;
  table: TableTopic;
  words: Partial<Record<Way, string>>;
  most: number;
  go: HTMLButtonElement;
  chosen(): { way: Way; steps: number };
  choose(way: Way, steps: number): void;
  inWords(way: Way, steps: number, end: Point): string;
}
/** The ball that people move on the board: where it stands now, and what moves it. */
export interface HeldBall {
  table: TableTopic;
  pawn: string;
  at: Point | null;
  next: Point[];
  ways: Way[];
  label: string;
  step(way: Way): boolean;
  back(): boolean;
  clear(): boolean;
  confirm(): boolean;
  /** It was tapped. */
  picked(): void;
  /** It is dragged to a place. */
  walkTo(place: Point): void;
  /** A place was tapped. */
  goTo(place: Point): void;
}
/** What a tap on a drawn coin chooses in a form. */
export interface CoinTaps {
  form: HTMLElement;
  controls: Record<string, HTMLElement>;
  asks(coin: string): void;
}
export interface Form {
  title: string | undefined;
  parts: HTMLElement[];
  /** What ends the flick; it stays in sight below the parts. */
  rest?: HTMLElement;
}
export type Entry = { said: Declaration } | { done: Incident };
/** A button that writes an entry at once. */
export type Enter = (words: Words, entry: () => Entry, kind?: string) => HTMLButtonElement;
/** One that writes what coins or hands did. */
export type EnterDone = (words: Words, done: () => Incident, kind?: string) => HTMLButtonElement;

/** What entering by hand needs. */
export interface Now {
  hand: HandTopic;
  standing: FlickStanding;
  record: RecordTopic;
  table: TableTopic;
  match: MatchTopic | null | undefined;
  lying: Record<string, Point>;
  message: HTMLElement;
  game: OfAGame | undefined;
  enter: EnterDone;
}
/** The same before it is known which game it is, and without its button. */
export type Entering = Omit<Now, "enter" | "game" | "standing"> &
  Pick<Topics, "evidence"> & { standing: AnyStanding };
export type Task = FlickTurn["before_flick"][number];
export type HandTask = Task & { next_to?: string; beside_mm?: Point | null };

/** What a ruling needs of the page's state. */
export type RulingState = Pick<
  Topics,
  "rulings" | "record" | "match" | "standing" | "table" | "evidence" | "hand"
>;
/** The last ruling in force on a call. */
export interface Fate {
  id: string;
  verdict: string;
  by?: string;
  reason?: string;
}
/** What is new for the ears: the texts of calls, and the sound for all of it. */
export interface News {
  texts: string[];
  sound?: string;
}
/** What /tv and /overlay tell in their largest words. */
export interface LastCallShown {
  kind: string;
  title?: string;
  text: string;
  why?: string;
  call?: Call & Measured;
  fate?: Fate;
}
/** What the form for a dispute needs. `later`: something was played since. */
export interface DisputeNeeds {
  call: Looked;
  isRuling: boolean;
  players: string[];
  other: (() => { elements: HTMLElement[]; value: () => InItsPlace }) | null;
  later: boolean;
  reason: string;
  done: () => void;
}
/** How a kind of entry is added: its words, its fixed fields, and how the others are chosen. */
export type Missed = [string, FixedFields, { [K in EntryField]?: string }];
export type EntryField = KeysOf<Declaration | Incident | DisasterChoice>;
export type FixedFields = { [K in EntryField]?: unknown } & (
  | { entry: "incident"; kind: Incident["kind"] }
  | { entry: "declaration"; kind: Declaration["kind"] }
);

/** What is answered to what is sent: where something is wrong, in words. */
/** The last parts of a topic, those at the places `from` on. */
export interface Known<T> {
  from: number;
  parts: T[];
  edition: number;
}
export interface KnownParts {
  calls?: Known<Call>;
  evidence?: Known<[string, Evidence]>;
  irregularities?: Known<IrregularityShown>;
  rulings?: Known<RulingMade>;
}
export type PartTopic = keyof KnownParts;

/** News of such a topic: splices of [place, how many parts go, which parts come]. */
export type Splices<T> = Omit<CallSplices, "splices"> & { splices: [number, number, T[]][] };

export type Sent = Partial<Problem & Weighed & RoutesFound>;
/** The addresses that answer a question of the page. */
export type Asked = Exclude<keyof Answers, "problem" | keyof Requests>;
/** What of a ruling comes before who decides it, why, and what becomes of later flicks. */
export type RulingBegun = Omit<RulingAsked, "then" | "by" | "reason" | "entries">;
/** What is put in an entry's place, or behind it. */
export type InItsPlace = Pick<RulingAsked, "told" | "instead">;
export type RulingVerdict = RulingAsked["verdict"];
/** A call, a question or an irregularity in words. */
export type Verdict = Pick<Call, "on" | "text"> & { rule?: string };

export interface FieldNeeds {
  choices: Record<string, (string | number)[]>;
  match: MatchTopic;
  standing: AnyStanding;
  table: TableTopic;
  coins: string[];
  seen: Fields;
}
export interface OfAField {
  element: HTMLElement | null;
  value: () => unknown;
}
export type Noted = Partial<QuestionShown> & { text: string };
export type Field = HTMLInputElement | HTMLSelectElement;

/** What is particular to a game on the page: one of these a game, in games/. */
export interface OfAGame {
  name: string;
  /** The heading, labels and posts of the course, and before which steps a part of it ends. */
  title: string;
  steps?: string[];
  posts: string;
  breaks?: number[];
  /** Whether the facts are few enough to stand beside a name. */
  inline?: boolean;
  /** All its coins, where they are not the players' own, and those of them that are flicked. */
  coins?: string[];
  flicked?: string[];
  /** Its dice, as the record names them, and a ball's special shots. */
  dice?: string[];
  specialShots?(pawn: string): string[];
  /** How it stands before anybody has played, where that is known from the players. */
  nobodyHasEntered?(players: Player[]): AnyRow[];
  /** What may be declared after a hit on a coin, for example. */
  afterHit?(coin: string): Declaration;
  /** What is entered by hand while coins move, where it is not the way along a course. */
  whileMoving?(now: Now): HTMLElement[];
  /** The directions through a line. */
  ways: LineWay[];
  /** What can be missed and added. */
  missed: Missed[];
  /** The answers to questions that only this game asks, or that it words differently. */
  answers?: WordedAnswers;
  /** Where a coin goes, by why it has to. */
  goesTo?: Record<string, string>;
  /** How many steps are made, and what else is told of a row. */
  done(row: AnyRow): number;
  facts(row: AnyRow): Child[];
  /** The next step in words, and the way through it. */
  nextPlace?(row: AnyRow): string;
  wayThrough?(row: AnyRow): LineWay;
  /** What is flicked next; `offered`: what may be said has its buttons. */
  flick?(turn: AnyTurn, standing: AnyStanding, offered: boolean): string;
  /** What may be said, rolled or moved now. */
  sayings(now: Saying, enter: Enter): Form | null;
}
export type Telling = OfAGame & { steps: string[] };

/** What the forms of Croquet for piecepack need. */
export interface Lawn {
  turn: LawnTurn;
  row: Partial<PiecepackCroquetRow>;
  /** Where the ball stands that is croqueted. */
  struck: Point | null | undefined;
  table: TableTopic | null | undefined;
  enter: Enter;
  calls: Call[];
  announced: Shot | PiecepackCroquet | null | undefined;
  entries: number;
}

/** The answers to each kind of question, in the words of their buttons. */
export type WordedAnswers = Record<string, [QuestionAnswer["verdict"], string][]>;

export interface Piece {
  name: string;
  at: Point;
  state: string;
}
export type Marked = Piece & { to: Point; active: boolean };

/** A place that is asked for, and how it is asked. */
export interface Picking {
  at?: Point | null;
  why?: string;
  snap?: (at: Point) => Point;
  coin?: () => string;
  changed?: (at: Point | null, how: string) => void;
  others?: () => [string, Point][];
  own?: boolean;
}
export interface AskedPlace {
  table: TableTopic;
  coin: () => string;
  others: () => [string, Point][];
  element: HTMLElement;
  at: Point | null;
  tapped(at: Point): void;
}
export interface Scale {
  wide: number;
  high: number;
  point: number;
}
/** What is numbered in the picture of the table. */
export type Numbered = Pick<NamingTopic, "others" | "picture_px"> & {
  coins: Pick<NamingTopic["coins"][number], "id" | "in_picture">[];
};
/** A coin in a picture, and where its number stands beside it, in pixels of the picture. */
export interface Beside {
  id: string;
  coin: InPicture;
  radius: number;
  at: Point;
}
export interface MarkedTiles {
  wrong?: Set<string>;
  held?: Set<string>;
}
export interface Seen {
  lying: Record<string, Lie>;
  runs: boolean;
  mayWrite: boolean;
}
export interface ToSay {
  kind: string;
  title: string;
  coin?: string;
  piece?: string;
  flicks?: number;
  text?: string;
  next?: string;
  runs?: boolean;
}
export interface Weighing {
  form: HTMLFormElement;
  ruledOn: Looked | null;
  /** How many entries the match had when the difference was worked out; null before it was. */
  entries: number | null;
  /** The difference that is shown, to tell whether another one is the same. */
  difference: string;
  asked: () => RulingAsked;
}
export interface WeighingParts {
  change: HTMLElement;
  message: HTMLElement;
  write: HTMLButtonElement;
}

/** What saying needs. */
export interface Saying {
  standing: Standing;
  record: RecordTopic;
  table: TableTopic | null | undefined;
  match: MatchTopic | null | undefined;
  calls: Call[];
}
