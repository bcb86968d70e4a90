/**
 * What to do next with a migration: a pure function of what is stored and of what was just seen. It
 * stores the intent before the act, and whatever may have happened is looked up before it is repeated.
 */
import type { ImportSearch, Whereabouts } from '../../chains/daemon/lookup.ts';
import {
	confirmationsOf,
	isFinal,
	isNotarizedChain,
	type FinalityRule
} from '../../platform/config/finality.ts';
import type { RefusedOutlook } from '../../wallet/transactions/refusedOutlook.ts';
import type { ImportReview } from './importReview.ts';
import type { Refusal } from './refusals.ts';
import { MAIN_CHAIN } from './request.ts';
import { APPROVALS, type MigrationState } from './states.ts';
import { LONGEST_PAUSE_MS, pauseAfter, stepsOf, type StepId } from './steps.ts';
import type { Change, Evidence, Loaded, MigrationRow, StepChange, StepRow } from './store.ts';
import { words, type ApprovalCount } from './words.ts';

/** One try to complete the proof on KMD. */
export interface Candidate {
	/** Added to the height of the first notarization of the destination; 0 was sent as no offset. */
	offset: number;
	hex: string;
	review: ImportReview;
	/** The destination has a record of this root; null when it could not be asked. */
	known: boolean | null;
}

/** The block of an import, and when its chain takes it for final. */
interface Watched {
	tip: number;
	notarized: number;
	rule: FinalityRule;
}

/** The block of the source that holds a burn. */
export interface BurnPlace {
	height: number;
	blockhash: string;
}

export type Observation = Seen & {
	/** Where the burn is, where the look was for something else: a reorganization may have moved it. */
	burnAt?: BurnPlace | null;
};

type Seen =
	| { about: 'burn'; found: Whereabouts; outlook: RefusedOutlook | null }
	| { about: 'burn-sent'; refusal: Refusal | null }
	/** No block of the source holds the burn any more. */
	| { about: 'burn-gone' }
	/** A block of the source holds the burn of an import that people have to approve. */
	| { about: 'approval-awaited' }
	/** A block of the source holds the burn: the import can be built from it, with approvals or without. */
	| { about: 'burn-stands'; approvals: Approvals | null }
	| { about: 'build'; hex: string; review: ImportReview }
	| { about: 'build-refused'; refusal: Refusal }
	| { about: 'completion'; candidates: readonly Candidate[]; tried: readonly Try[] }
	| { about: 'completion-refused'; refusal: Refusal }
	| { about: 'approvals'; count: ApprovalCount }
	| { about: 'approved-build'; hex: string; txid: string; approvals: Approvals }
	| { about: 'import'; found: Whereabouts; search: ImportSearch | null; chain?: Watched }
	| { about: 'import-sent'; refusal: Refusal | null }
	/** A review found that the bytes are not what they should be. */
	| { about: 'review'; words: string }
	/** A daemon did not answer, is not the one it should be, or says what cannot be read. */
	| { about: 'no-answer'; chain: string; words: string; unreadable?: true };

/** The approvals that an import is built with. */
export interface Approvals {
	/** One for each notary, the oldest first. */
	txids: readonly string[];
	/** Keys of the notaries, in the same order. */
	notaries: readonly string[];
	/** Height of the destination when they were looked at. */
	height: number;
}

/** What one offset gave. */
export interface Try {
	offset: number;
	outcome: string;
}

export interface Decision {
	change: Change;
	/** `again`: look at once. `rest`: the migration is left until it is due. */
	next: 'again' | 'rest' | 'send-burn' | 'build' | 'send-import';
}

/** The step that a moving migration is in. */
export function currentStep({ row, steps }: Loaded): StepId | null {
	switch (row.state) {
		case 'draft':
		case 'preflight-failed':
		case 'abandoned':
		case 'burn-unknown':
			return 'burn';
		case 'burn-pending':
			return 'burn-confirmed';
		case 'burn-confirmed':
		case 'waiting-back-notarization':
			return row.route === 'backup' ? 'approvals' : 'back-notarization';
		case 'backup-collecting':
			return 'approvals';
		case 'import-built':
			return 'completion';
		case 'waiting-target-notarization':
			return steps.get('completion')?.doneAt ? 'target-notarization' : 'completion';
		case 'needs-approval':
		case 'ready-to-import':
		case 'import-unknown':
			return 'import-sent';
		case 'import-pending':
		case 'done':
			return 'import-confirmed';
		case 'stuck':
			return (
				stepsOf(row.route)
					.toReversed()
					.find(({ id }) => STOPS.includes(id) && hasBegun(steps.get(id)))?.id ?? 'burn'
			);
		case 'final':
			return null;
	}
}

/** A burn that is going to be published has its approvals noted before the first is asked for. */
const hasBegun = (step: StepRow | undefined): boolean =>
	step !== undefined && (step.step !== 'approvals' || step.startedAt !== null);

/** Steps in which a migration can stop. */
const STOPS: readonly StepId[] = [
	'burn',
	'burn-confirmed',
	'back-notarization',
	'approvals',
	'completion',
	'import-sent'
];

interface Context {
	loaded: Loaded;
	row: MigrationRow;
	now: number;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const step = ({ loaded }: Context, id: StepId): StepRow | undefined => loaded.steps.get(id);

/** Milliseconds between two tries after one that may pass: twice as long each time. */
const FIRST_PAUSE_MS = 2_000;
const LONGEST_RETRY_MS = 5 * 60_000;
/** Tries after which a person is asked: with these pauses about an hour. */
const MOST_TRIES = 18;
/** Builds in a row in which the connection ended without an answer. */
const MOST_BROKEN = 3;
/** Between two looks for what a stopped migration waits for. */
const STOPPED_PAUSE_MS = { least: 10_000, most: LONGEST_PAUSE_MS };

/**
 * How long has been waited in a step, all in all: one that is entered again and again waits longer each time.
 */
function waitedIn(at: Context, id: StepId, sameState: boolean): number {
	const since = step(at, id)?.startedAt ?? (sameState ? Number(at.row.state_since) : at.now);
	return at.now - Math.min(since, sameState ? Number(at.row.state_since) : at.now);
}

/** Leaves the migration until it is looked at again. An event is written only for a new reason. */
function rest(at: Context, id: StepId, reason: string, change: Change = {}): Decision {
	const due = at.now + pauseAfter(id, waitedIn(at, id, change.state === undefined));
	const isNew = at.row.reason !== reason;
	return {
		change: {
			...(isNew ? { event: { step: id, words: reason } } : {}),
			...change,
			reason,
			due
		},
		next: 'rest'
	};
}

/** Leaves it to a person. It goes on looking: what it waits for may happen without one. */
function stop(at: Context, id: StepId, reason: string, change: Change = {}): Decision {
	const again = at.row.state === 'stuck';
	const waited = again ? at.now - Number(at.row.state_since) : 0;
	const { least, most } = STOPPED_PAUSE_MS;
	const isNew = !again || at.row.reason !== reason;
	return {
		change: {
			...(isNew ? { event: { step: id, words: reason } } : {}),
			due: at.now + Math.min(most, Math.max(least, Math.floor(waited / 10))),
			...change,
			...(again ? {} : { state: 'stuck' as const }),
			reason
		},
		next: 'rest'
	};
}

const triesOf = (at: Context, id: StepId): number => Number(step(at, id)?.evidence['tries'] ?? 0);

/** Tries the same again after a pause that doubles, and leaves it to a person when that went on too long. */
function tryAgain(
	at: Context,
	id: StepId,
	reason: string,
	{ tooOften, evidence = {} }: { tooOften: string; evidence?: Evidence }
): Decision {
	const tries = triesOf(at, id) + 1;
	const steps = [{ step: id, evidence: { ...evidence, tries } }];
	if (tries > MOST_TRIES) return stop(at, id, tooOften, { steps });
	const isNew = at.row.reason !== reason;
	return {
		change: {
			...(isNew ? { event: { step: id, words: reason } } : {}),
			reason,
			due: at.now + Math.min(LONGEST_RETRY_MS, FIRST_PAUSE_MS * 2 ** (tries - 1)),
			steps
		},
		next: 'rest'
	};
}

const refusedForNow = (at: Context, id: StepId, chain: string, said: string): Decision =>
	tryAgain(at, id, words.refusedForNow(chain, said), {
		tooOften: words.refusedTooOften(chain, said)
	});

/** What a refusal of a send leaves behind until the transaction was looked up once more. */
const refusedSend = (refusal: Refusal): Evidence => ({
	refused: refusal.words === '' ? 'it was refused' : refusal.words,
	passing: refusal.verdict === 'passing'
});

function burnFound(at: Context, found: Whereabouts, outlook: RefusedOutlook | null): Decision {
	const { row } = at;
	if (found.where === 'mined') {
		const { height, blockhash } = found;
		return {
			change: {
				state: 'burn-confirmed',
				reason: null,
				due: at.now,
				steps: [
					{ step: 'burn', evidence: { refused: null, tries: 0 }, done: true },
					{ step: 'burn-confirmed', evidence: { height, blockhash }, started: true, done: true }
				],
				event: { step: 'burn-confirmed', words: words.burnMined(row.source, height) }
			},
			next: 'again'
		};
	}
	if (found.where === 'mempool') {
		const seen = words.burnSeen(row.source);
		if (row.state === 'burn-pending') return rest(at, 'burn-confirmed', seen);
		return rest(at, 'burn-confirmed', seen, {
			state: 'burn-pending',
			steps: [
				{ step: 'burn', evidence: { refused: null, tries: 0 }, done: true },
				{ step: 'burn-confirmed', started: true }
			]
		});
	}
	if (row.state === 'burn-pending') {
		return {
			change: {
				state: 'burn-unknown',
				reason: null,
				event: { step: 'burn', words: words.burnLost(row.source) }
			},
			next: 'again'
		};
	}
	const refused = text(step(at, 'burn')?.evidence['refused']);
	if (refused !== '') return refusedBurn(at, refused, outlook);
	if (row.state === 'stuck') return stop(at, 'burn', row.reason ?? '');
	return { change: {}, next: 'send-burn' };
}

/** The daemon refused the burn, and another look did not find it either. */
function refusedBurn(at: Context, refused: string, outlook: RefusedOutlook | null): Decision {
	const { row } = at;
	const { passing, refusedAt } = step(at, 'burn')?.evidence ?? {};
	const noted: Evidence = {
		spentSince: outlook?.spentSince ?? null,
		refusedAt: typeof refusedAt === 'number' ? refusedAt : (outlook?.tip ?? null)
	};
	if (outlook?.dead) {
		return stop(at, 'burn', words.nothingBurned(row.source, refused), {
			due: null,
			steps: [{ step: 'burn', evidence: noted }]
		});
	}
	const left = words.burnRefused(row.source, refused);
	if (passing === true && row.state !== 'stuck') {
		return tryAgain(at, 'burn', words.refusedForNow(row.source, refused), {
			tooOften: left,
			evidence: { ...noted, refused: null }
		});
	}
	return stop(at, 'burn', left, { steps: [{ step: 'burn', evidence: { ...noted, refused } }] });
}

function burnSent(at: Context, refusal: Refusal | null): Decision {
	const { row } = at;
	if (refusal === null || refusal.verdict === 'already') {
		return {
			change: {
				reason: null,
				event: { step: 'burn', words: words.burnSent(row.source) },
				audit: {
					actor: 'engine',
					action: 'migration.burn-sent',
					target: row.id,
					detail: { txid: row.burn_txid, chain: row.source, amount: row.amount }
				}
			},
			next: 'again'
		};
	}
	if (refusal.verdict === 'unreachable') {
		return rest(at, 'burn', words.noAnswer(row.source, refusal.words));
	}
	if (refusal.verdict === 'unknown') return rest(at, 'burn', words.outcomeUnknown(row.source));
	if (refusal.verdict === 'claimed') {
		return rest(at, 'burn', words.claimed(row.source, refusal.words));
	}
	return {
		change: { steps: [{ step: 'burn', evidence: refusedSend(refusal) }] },
		next: 'again'
	};
}

/** The burn has to be sent again before anything is built on it. */
function burnGone(at: Context): Decision {
	const { row } = at;
	return rest(at, 'burn-confirmed', words.burnTakenBack(row.source), { state: 'burn-unknown' });
}

/** Says on disk that a build begins: a daemon that ends over it is not asked without end. */
function burnStands(at: Context): Decision {
	const { row } = at;
	const asked = Number(step(at, 'import-built')?.evidence['asked'] ?? 0);
	const where = row.route === 'backup' ? 'approvals' : 'back-notarization';
	if (asked >= MOST_BROKEN) return stop(at, where, words.buildBroke(row.source));
	return {
		change: { steps: [{ step: 'import-built', evidence: { asked: asked + 1 } }] },
		next: 'build'
	};
}

const answered: StepChange = { step: 'import-built', evidence: { asked: 0 } };

function buildRefused(at: Context, { verdict, words: said, broke }: Refusal): Decision {
	const { row } = at;
	const backup = row.route === 'backup';
	const waiting = backup ? 'approvals' : 'back-notarization';
	if (verdict === 'unreachable') {
		const steps = broke ? [] : [answered];
		return rest(at, waiting, words.noAnswer(row.source, said), { steps });
	}
	if (verdict === 'back-to-burn') {
		return rest(at, 'burn-confirmed', words.burnTakenBack(row.source), {
			state: 'burn-unknown',
			steps: [answered]
		});
	}
	if (verdict === 'final') {
		const reason = backup ? words.backupRefused(row.source, said) : words.dead(said);
		return stop(at, waiting, reason, { steps: [answered] });
	}
	if (verdict !== 'wait' || backup) {
		return tryAgain(at, 'import-built', words.refusedForNow(row.source, said), {
			tooOften: words.refusedTooOften(row.source, said),
			evidence: { asked: 0 }
		});
	}
	return rest(at, 'back-notarization', words.backNotarization(row.source), {
		...(row.state === 'waiting-back-notarization' ? {} : { state: 'waiting-back-notarization' }),
		steps: [{ step: 'back-notarization', started: true }, answered]
	});
}

function built(at: Context, hex: string, review: ImportReview): Decision {
	const { row } = at;
	const before = step(at, 'import-built')?.hex ?? null;
	const { root, notarization } = review;
	return {
		change: {
			state: 'import-built',
			reason: null,
			steps: [
				{
					step: 'back-notarization',
					evidence: { notarization, tries: 0 },
					started: true,
					done: true
				},
				{
					step: 'import-built',
					hex: { from: before, to: hex },
					evidence: { root, notarization, asked: 0, tries: 0 },
					started: true,
					done: true
				}
			],
			event: {
				step: 'import-built',
				words: before === null ? words.importBuilt(row.source) : words.importRebuilt(row.source),
				detail: { root, notarization }
			}
		},
		next: 'again'
	};
}

function completionRefused(at: Context, { verdict, words: said }: Refusal): Decision {
	const { row } = at;
	if (verdict === 'unreachable') return rest(at, 'completion', words.noAnswer(MAIN_CHAIN, said));
	if (said.startsWith('Notarisation not found')) {
		// KMD lost the notarization, or does not have it yet: the proof is made anew from what is there.
		return rest(at, 'back-notarization', words.notarizationGone(row.source), {
			state: 'waiting-back-notarization'
		});
	}
	if (verdict === 'final') return stop(at, 'completion', words.dead(said));
	if (verdict !== 'wait' && verdict !== 'next-offset') {
		return refusedForNow(at, 'completion', MAIN_CHAIN, said);
	}
	return rest(at, 'completion', words.targetOnKmd(row.destination), {
		...(row.state === 'waiting-target-notarization'
			? {}
			: { state: 'waiting-target-notarization' }),
		steps: [{ step: 'completion', started: true, evidence: { said } }]
	});
}

function completed(at: Context, candidates: readonly Candidate[], tried: readonly Try[]): Decision {
	const { row } = at;
	const ladder = tried.map(({ offset, outcome }) => words.ladder(offset, outcome)).join(' ');
	const refused = text(step(at, 'import-sent')?.evidence['refusedRoot']);
	// Where the destination cannot be asked, sending is how to find out; another root goes first then.
	const open = candidates.filter(({ known }) => known === null);
	const chosen =
		candidates.find(({ known }) => known === true) ??
		open.find(({ review }) => review.root !== refused) ??
		open[0];
	const [first] = candidates;
	if (!first) {
		return completionRefused(at, { verdict: 'wait', words: tried.at(-1)?.outcome ?? '' });
	}
	const { offset, review } = chosen ?? first;
	const evidence = {
		offset,
		root: review.root,
		notarization: review.notarization,
		ladder,
		tries: 0
	};
	const isNewTry = step(at, 'completion')?.evidence['ladder'] !== ladder;
	if (!chosen) {
		const reason = words.momomAwaited(row.destination);
		return rest(at, 'target-notarization', reason, {
			...(row.state === 'waiting-target-notarization'
				? {}
				: { state: 'waiting-target-notarization' }),
			steps: [
				{ step: 'completion', evidence, started: true, done: true },
				{ step: 'target-notarization', started: true }
			],
			...(isNewTry ? { event: { step: 'completion', words: ladder } } : {})
		});
	}
	const before = step(at, 'completion')?.hex ?? null;
	const { change, next } = importReady(at);
	return {
		change: {
			...change,
			steps: [
				{
					step: 'completion',
					hex: { from: before, to: chosen.hex },
					txid: review.txid,
					evidence,
					started: true,
					done: true
				},
				{ step: 'target-notarization', started: true, done: true }
			],
			event: {
				step: 'completion',
				words: `${words.completed(offset)} ${words.momomFound(row.destination)}`,
				detail: { offset, root: review.root, ladder }
			}
		},
		next
	};
}

/** The import can be sent: at once, or when those whom the policy asks have said so. */
function importReady({ row, now }: Context): Decision {
	const given = [row.approved_by, row.approved_too].filter((name) => name !== null).length;
	if (given >= APPROVALS[row.policy]) {
		return { change: { state: 'ready-to-import', reason: null }, next: 'again' };
	}
	const reason = words[row.policy === 'ask-two' ? 'approvalAskedOfTwo' : 'approvalAsked'];
	const due = now + pauseAfter('import-sent', 0);
	return { change: { state: 'needs-approval', reason, due }, next: 'rest' };
}

/** Goes on watching the burn while people decide; what they are told stays. */
function approvalAwaited(at: Context): Decision {
	const due = at.now + pauseAfter('import-sent', waitedIn(at, 'import-sent', true));
	return { change: { due }, next: 'rest' };
}

const collecting = ({ state }: MigrationRow): Change =>
	state === 'backup-collecting' ? {} : { state: 'backup-collecting' };

function approvalsAwaited(at: Context, count: ApprovalCount): Decision {
	return rest(at, 'approvals', words.approvalsAwaited(count), {
		...collecting(at.row),
		steps: [{ step: 'approvals', evidence: { ...count }, started: true }]
	});
}

function approvedBuilt(at: Context, hex: string, txid: string, approvals: Approvals): Decision {
	const { row } = at;
	const { txids, notaries, height } = approvals;
	const { refusedTxid, refusedUntil } = step(at, 'import-sent')?.evidence ?? {};
	// The same approvals would be refused again before the chain has gone on.
	if (refusedTxid === txid && typeof refusedUntil === 'number' && height < refusedUntil) {
		return rest(at, 'approvals', words.approvalsRefused(row.destination), {
			...collecting(row),
			steps: [answered]
		});
	}
	const evidence = {
		counted: notaries.length,
		pending: 0,
		unknown: 0,
		txids,
		notaries,
		height,
		tries: 0
	};
	const before = step(at, 'import-built')?.hex ?? null;
	const { change, next } = importReady(at);
	return {
		change: {
			...change,
			steps: [
				{ step: 'approvals', evidence, started: true, done: true },
				{
					step: 'import-built',
					hex: { from: before, to: hex },
					txid,
					// What an earlier proof led to says nothing about this import.
					evidence: { root: null, notarization: null, asked: 0, tries: 0 },
					started: true,
					done: true
				}
			],
			...(before === hex
				? {}
				: {
						event: {
							step: 'import-built' as const,
							words: words.approvedImportBuilt(row.source, notaries.length),
							detail: { txids, notaries }
						}
					})
		},
		next
	};
}

/** Chooses the bytes of the import and says so on disk, before anything is sent. */
function chooseImport(at: Context): Decision {
	const backup = at.row.route === 'backup';
	const { hex, txid } = step(at, backup ? 'import-built' : 'completion') ?? {};
	if (!hex || !txid) {
		const state = backup ? 'backup-collecting' : 'import-built';
		return { change: { state }, next: 'again' };
	}
	return {
		change: {
			state: 'import-unknown',
			reason: null,
			steps: [
				{
					step: 'import-sent',
					hex: { from: step(at, 'import-sent')?.hex ?? null, to: hex },
					txid,
					evidence: { refused: null, tries: 0 },
					started: true
				}
			],
			event: { step: 'import-sent', words: words.importChosen(at.row.destination) }
		},
		next: 'again'
	};
}

function arrived(at: Context, txid: string, height: number): Decision {
	const { row } = at;
	return {
		change: {
			state: 'done',
			reason: words.notFinal(row.destination),
			due: at.now + pauseAfter('import-confirmed', 0),
			steps: [
				{ step: 'import-sent', txid, evidence: { refused: null }, started: true, done: true },
				{ step: 'import-confirmed', txid, evidence: { height }, started: true, done: true }
			],
			event: {
				step: 'import-confirmed',
				words: words.importMined(row.destination, height),
				detail: { txid }
			},
			audit: {
				actor: 'engine',
				action: 'migration.done',
				target: row.id,
				detail: { txid, height, chain: row.destination }
			}
		},
		next: 'rest'
	};
}

/** A block holds the import of a migration that has arrived: watched until that block is final. */
function watched(at: Context, txid: string, height: number, chain: Watched): Decision {
	const { row } = at;
	const { rule } = chain;
	const block = { height, tip: chain.tip, notarized: chain.notarized };
	const evidence: Evidence = {
		height,
		confirmations: confirmationsOf(block),
		needed: rule.confirmations,
		notarized: block.notarized >= height,
		awaitsNotarization: rule.notarization === 'and' && isNotarizedChain(block)
	};
	const steps = [{ step: 'import-confirmed' as const, txid, evidence }];
	const id = 'import-confirmed';
	if (isFinal(rule, block)) {
		const event = { step: id, words: words.final(row.destination, height) } as const;
		return { change: { state: 'final', reason: null, due: null, steps, event }, next: 'rest' };
	}
	const moved = step(at, id)?.evidence['height'] !== height;
	return rest(at, id, words.notFinal(row.destination), {
		steps,
		...(moved ? { event: { step: id, words: words.movedTo(row.destination, height) } } : {})
	});
}

function importWaits(at: Context, txid: string): Decision {
	const { row } = at;
	const seen = words.importSeen(row.destination);
	if (row.state === 'import-pending') return rest(at, 'import-confirmed', seen);
	return rest(at, 'import-confirmed', seen, {
		state: 'import-pending',
		...(row.state === 'done'
			? { event: { step: 'import-confirmed', words: words.takenBack(row.destination) } }
			: {}),
		steps: [
			{ step: 'import-sent', txid, evidence: { refused: null, tries: 0 }, done: true },
			{ step: 'import-confirmed', started: true }
		]
	});
}

function importFound(
	at: Context,
	found: Whereabouts,
	search: ImportSearch | null,
	chain: Watched | undefined
): Decision {
	const { row } = at;
	const own = step(at, 'import-sent')?.txid ?? '';
	const other = search?.found;
	const there =
		found.where === 'mined'
			? { txid: own, height: found.height }
			: found.where === 'absent' && other?.where === 'mined'
				? other
				: null;
	if (there && row.state === 'done' && chain) return watched(at, there.txid, there.height, chain);
	if (there) return arrived(at, there.txid, there.height);
	if (found.where === 'mempool') return importWaits(at, own);
	if (other) return importWaits(at, other.txid);
	if (row.state === 'import-pending' || row.state === 'done') {
		const lost = row.state === 'done' ? words.takenBack : words.importLost;
		return {
			change: {
				state: 'import-unknown',
				reason: null,
				event: { step: 'import-sent', words: lost(row.destination) }
			},
			next: 'again'
		};
	}
	const scanned = search && search.from !== row.import_scan_from ? { scanFrom: search.from } : {};
	if (search && !search.complete) {
		const reason = words.searching(row.destination);
		return { change: { ...scanned, reason, due: at.now }, next: 'rest' };
	}
	if (row.state === 'stuck') return stop(at, 'import-sent', row.reason ?? '', scanned);
	const { refused, passing } = step(at, 'import-sent')?.evidence ?? {};
	if (text(refused) !== '') {
		const said = text(refused);
		if (passing !== true) {
			return stop(at, 'import-sent', words.importRefused(row.destination, said), scanned);
		}
		const again = tryAgain(at, 'import-sent', words.refusedForNow(row.destination, said), {
			tooOften: words.refusedTooOften(row.destination, said),
			evidence: { refused: null }
		});
		return { ...again, change: { ...scanned, ...again.change } };
	}
	if (!step(at, 'import-sent')?.hex) {
		// Somebody else's import was waited for, and it is gone: one of our own is made.
		const event = { step: 'import-sent', words: words.importUnknown(row.destination) } as const;
		return { change: { ...scanned, state: 'burn-unknown', reason: null, event }, next: 'again' };
	}
	return { change: scanned, next: 'send-import' };
}

/** Most blocks of the destination between two tries with the same approvals. */
const MOST_BLOCKS_BETWEEN = 60;

/** Notes which import was refused, and how many blocks are waited before it is sent once more. */
function refusedAgain(at: Context): Evidence {
	const sent = step(at, 'import-sent');
	const { refusedTxid, refusedTimes } = sent?.evidence ?? {};
	const before = refusedTxid === sent?.txid && typeof refusedTimes === 'number' ? refusedTimes : 0;
	const height = Number(step(at, 'approvals')?.evidence['height'] ?? 0);
	return {
		refusedTxid: sent?.txid ?? null,
		refusedTimes: before + 1,
		refusedUntil: height + Math.min(MOST_BLOCKS_BETWEEN, 2 ** before)
	};
}

function importSent(at: Context, refusal: Refusal | null): Decision {
	const { row } = at;
	if (refusal === null || refusal.verdict === 'already') {
		return {
			change: {
				reason: null,
				event: { step: 'import-sent', words: words.importSent(row.destination) },
				audit: {
					actor: 'engine',
					action: 'migration.import-sent',
					target: row.id,
					detail: { txid: step(at, 'import-sent')?.txid, chain: row.destination }
				}
			},
			next: 'again'
		};
	}
	const { verdict, words: said } = refusal;
	if (verdict === 'unreachable') {
		return rest(at, 'import-sent', words.noAnswer(row.destination, said));
	}
	if (verdict === 'unknown') return rest(at, 'import-sent', words.outcomeUnknown(row.destination));
	if (verdict === 'claimed') {
		return rest(at, 'import-sent', words.claimed(row.destination, said));
	}
	if (verdict === 'wait' && row.route === 'backup') {
		return rest(at, 'approvals', words.approvalsDoubted(row.destination), {
			state: 'backup-collecting',
			steps: [{ step: 'import-sent', evidence: refusedAgain(at) }]
		});
	}
	if (verdict === 'wait') {
		const root = text(step(at, 'completion')?.evidence['root']);
		return rest(at, 'target-notarization', words.importEarly(row.destination), {
			state: 'waiting-target-notarization',
			steps: [{ step: 'import-sent', evidence: { refusedRoot: root } }]
		});
	}
	// Another look for an import of this burn decides whether this is the end.
	return {
		change: { steps: [{ step: 'import-sent', evidence: refusedSend(refusal) }] },
		next: 'again'
	};
}

/** True when the state asks for nothing to be looked at: it goes on by itself. */
export function needsNoLook(row: Pick<MigrationRow, 'state'>): boolean {
	return row.state === 'ready-to-import';
}

/** States in which what a look found is judged again: nothing is lost by that. */
const BUILDING: readonly MigrationState[] = [
	'burn-confirmed',
	'waiting-back-notarization',
	'import-built',
	'waiting-target-notarization',
	'backup-collecting'
];

/** What was built is not what it should be: the daemon is asked again, within bounds. */
function reviewFailed(at: Context, said: string): Decision {
	const id = currentStep(at.loaded) ?? 'burn';
	if (!BUILDING.includes(at.row.state)) return stop(at, id, said);
	return tryAgain(at, id, said, { tooOften: said });
}

/** Writes down that another block than before holds the burn. */
function withBurnPlace(at: Context, burnAt: BurnPlace, { change, next }: Decision): Decision {
	const { height, blockhash } = step(at, 'burn-confirmed')?.evidence ?? {};
	if (height === burnAt.height && blockhash === burnAt.blockhash) return { change, next };
	const event = {
		step: 'burn-confirmed',
		words: words.burnMovedTo(at.row.source, burnAt.height)
	} as const;
	const steps = [
		...(change.steps ?? []),
		{ step: 'burn-confirmed' as const, evidence: { ...burnAt } }
	];
	return { change: { event, ...change, steps }, next };
}

/** @param seen what was just looked at; null where nothing has to be */
export function decide(loaded: Loaded, seen: Observation | null, now: number): Decision {
	const at: Context = { loaded, row: loaded.row, now };
	if (seen === null) return chooseImport(at);
	const decision = judge(at, seen);
	return seen.burnAt ? withBurnPlace(at, seen.burnAt, decision) : decision;
}

function judge(at: Context, seen: Observation): Decision {
	switch (seen.about) {
		case 'burn':
			return burnFound(at, seen.found, seen.outlook);
		case 'burn-sent':
			return burnSent(at, seen.refusal);
		case 'burn-gone':
			return burnGone(at);
		case 'burn-stands':
			return burnStands(at);
		case 'approval-awaited':
			return approvalAwaited(at);
		case 'build':
			return built(at, seen.hex, seen.review);
		case 'build-refused':
			return buildRefused(at, seen.refusal);
		case 'completion':
			return completed(at, seen.candidates, seen.tried);
		case 'completion-refused':
			return completionRefused(at, seen.refusal);
		case 'approvals':
			return approvalsAwaited(at, seen.count);
		case 'approved-build':
			return approvedBuilt(at, seen.hex, seen.txid, seen.approvals);
		case 'import':
			return importFound(at, seen.found, seen.search, seen.chain);
		case 'import-sent':
			return importSent(at, seen.refusal);
		case 'review':
			return reviewFailed(at, seen.words);
		case 'no-answer':
			return noAnswer(at, seen);
	}
}

function noAnswer(
	at: Context,
	{ chain, words: said, unreadable }: Extract<Observation, { about: 'no-answer' }>
): Decision {
	const id = currentStep(at.loaded) ?? 'burn';
	// What a stopped migration says is worth more than that a daemon is away.
	if (at.row.state === 'stuck') return stop(at, id, at.row.reason ?? '');
	// So is what people are asked for; the burn is looked up once more before anything goes out.
	if (at.row.state === 'needs-approval') return approvalAwaited(at);
	return rest(at, id, unreadable ? words.unreadable(chain, said) : words.noAnswer(chain, said));
}
