/**
 * What to do next with a migration: a pure function of what is stored and of what was just seen. It
 * stores the intent before the act, and whatever may have happened is looked up before it is repeated.
 */
import type { ImportReview } from './importReview.ts';
import type { ImportSearch, Whereabouts } from '../gateway/lookup.ts';
import type { Refusal } from './refusals.ts';
import { APPROVALS } from './states.ts';
import { pauseAfter, stepsOf, type StepId } from './steps.ts';
import type { Change, Evidence, Loaded, MigrationRow, StepRow } from './store.ts';
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

export type Observation =
	| { about: 'burn'; found: Whereabouts }
	| { about: 'burn-sent'; refusal: Refusal | null }
	| { about: 'build'; hex: string; review: ImportReview }
	| { about: 'build-refused'; refusal: Refusal }
	| { about: 'completion'; candidates: readonly Candidate[]; tried: readonly Try[] }
	| { about: 'completion-refused'; refusal: Refusal }
	| { about: 'approvals'; count: ApprovalCount }
	| { about: 'approved-build'; hex: string; txid: string; approvals: Approvals }
	| { about: 'import'; found: Whereabouts; search: ImportSearch | null }
	| { about: 'import-sent'; refusal: Refusal | null }
	/** A review found that the bytes are not what they should be. */
	| { about: 'review'; words: string }
	/** A daemon did not answer, or is not the one it should be. */
	| { about: 'no-answer'; chain: string; words: string };

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
	next: 'again' | 'rest' | 'send-burn' | 'send-import';
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
			return 'import-confirmed';
		case 'stuck':
			return (
				stepsOf(row.route)
					.toReversed()
					.find(({ id }) => STOPS.includes(id) && hasBegun(steps.get(id)))?.id ?? 'burn'
			);
		case 'done':
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

/** Leaves the migration until it is looked at again. An event is written only for a new reason. */
function rest(at: Context, id: StepId, reason: string, change: Change = {}): Decision {
	const waited = at.now - Number(at.row.state_since);
	const due = at.now + pauseAfter(id, change.state === undefined ? waited : 0);
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

function stop(id: StepId, reason: string, change: Change = {}): Decision {
	return {
		change: {
			event: { step: id, words: reason },
			...change,
			state: 'stuck',
			reason,
			due: null
		},
		next: 'rest'
	};
}

function burnFound(at: Context, found: Whereabouts): Decision {
	const { row } = at;
	if (found.where === 'mined') {
		const { height, blockhash } = found;
		return {
			change: {
				state: 'burn-confirmed',
				reason: null,
				steps: [
					{ step: 'burn', done: true },
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
				{ step: 'burn', done: true },
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
	// The daemon refused it for good, and another look did not find it either.
	const refused = text(step(at, 'burn')?.evidence['refused']);
	if (refused !== '') return stop('burn', words.nothingBurned(row.source, refused));
	return { change: {}, next: 'send-burn' };
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
		change: { steps: [{ step: 'burn', evidence: { refused: refusal.words } }] },
		next: 'again'
	};
}

function buildRefused(at: Context, { verdict, words: said }: Refusal): Decision {
	const { row } = at;
	const backup = row.route === 'backup';
	if (verdict === 'unreachable') {
		const waiting = backup ? 'approvals' : 'back-notarization';
		return rest(at, waiting, words.noAnswer(row.source, said));
	}
	if (verdict === 'back-to-burn') {
		return rest(at, 'burn-confirmed', words.burnLost(row.source), { state: 'burn-unknown' });
	}
	if (backup) return stop('approvals', words.backupRefused(row.source, said));
	if (verdict !== 'wait') return stop('back-notarization', words.dead(said));
	return rest(at, 'back-notarization', words.backNotarization(row.source), {
		...(row.state === 'waiting-back-notarization' ? {} : { state: 'waiting-back-notarization' }),
		steps: [{ step: 'back-notarization', started: true }]
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
				{ step: 'back-notarization', evidence: { notarization }, started: true, done: true },
				{
					step: 'import-built',
					hex: { from: before, to: hex },
					evidence: { root, notarization },
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
	if (verdict === 'unreachable') return rest(at, 'completion', words.noAnswer('KMD', said));
	if (said.startsWith('Notarisation not found')) {
		// KMD lost the notarization, or does not have it yet: the proof is made anew from what is there.
		return rest(at, 'back-notarization', words.backNotarization(row.source), {
			state: 'waiting-back-notarization'
		});
	}
	if (verdict !== 'wait' && verdict !== 'next-offset') {
		return stop('completion', words.dead(said));
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
	const evidence = { offset, root: review.root, notarization: review.notarization, ladder };
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
	const { change, next } = importReady(row);
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
function importReady(row: MigrationRow): Decision {
	const given = [row.approved_by, row.approved_too].filter((name) => name !== null).length;
	if (given >= APPROVALS[row.policy]) {
		return { change: { state: 'ready-to-import', reason: null }, next: 'again' };
	}
	const reason = words[row.policy === 'ask-two' ? 'approvalAskedOfTwo' : 'approvalAsked'];
	return { change: { state: 'needs-approval', reason, due: null }, next: 'rest' };
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
		return rest(at, 'approvals', words.approvalsRefused(row.destination), collecting(row));
	}
	const evidence = { counted: notaries.length, pending: 0, unknown: 0, txids, notaries, height };
	const before = step(at, 'import-built')?.hex ?? null;
	const { change, next } = importReady(row);
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
					evidence: { root: null, notarization: null },
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
					evidence: { refused: null },
					started: true
				}
			],
			event: { step: 'import-sent', words: words.importChosen(at.row.destination) }
		},
		next: 'again'
	};
}

function arrived(at: Context, txid: string, height: number): Decision {
	return {
		change: {
			state: 'done',
			reason: null,
			due: null,
			steps: [
				{ step: 'import-sent', txid, started: true, done: true },
				{ step: 'import-confirmed', txid, evidence: { height }, started: true, done: true }
			],
			event: {
				step: 'import-confirmed',
				words: words.importMined(at.row.destination, height),
				detail: { txid }
			},
			audit: {
				actor: 'engine',
				action: 'migration.done',
				target: at.row.id,
				detail: { txid, height, chain: at.row.destination }
			}
		},
		next: 'rest'
	};
}

function importWaits(at: Context, txid: string): Decision {
	const { row } = at;
	const seen = words.importSeen(row.destination);
	if (row.state === 'import-pending') return rest(at, 'import-confirmed', seen);
	return rest(at, 'import-confirmed', seen, {
		state: 'import-pending',
		steps: [
			{ step: 'import-sent', txid, done: true },
			{ step: 'import-confirmed', started: true }
		]
	});
}

function importFound(at: Context, found: Whereabouts, search: ImportSearch | null): Decision {
	const { row } = at;
	const own = step(at, 'import-sent')?.txid ?? '';
	if (found.where === 'mined') return arrived(at, own, found.height);
	if (found.where === 'mempool') return importWaits(at, own);
	const other = search?.found;
	if (other?.where === 'mined') return arrived(at, other.txid, other.height);
	if (other?.where === 'mempool') return importWaits(at, other.txid);
	if (row.state === 'import-pending') {
		return {
			change: {
				state: 'import-unknown',
				reason: null,
				event: { step: 'import-sent', words: words.importLost(row.destination) }
			},
			next: 'again'
		};
	}
	const scanned = search && search.from !== row.import_scan_from ? { scanFrom: search.from } : {};
	if (search && !search.complete) {
		const reason = words.searching(row.destination);
		return { change: { ...scanned, reason, due: at.now }, next: 'rest' };
	}
	const refused = text(step(at, 'import-sent')?.evidence['refused']);
	if (refused !== '') {
		return stop('import-sent', words.importRefused(row.destination, refused), scanned);
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
		change: { steps: [{ step: 'import-sent', evidence: { refused: said } }] },
		next: 'again'
	};
}

/** True when the state asks for nothing to be looked at: it goes on by itself. */
export function needsNoLook(row: Pick<MigrationRow, 'state'>): boolean {
	return row.state === 'ready-to-import';
}

/** @param seen what was just looked at; null where nothing has to be */
export function decide(loaded: Loaded, seen: Observation | null, now: number): Decision {
	const at: Context = { loaded, row: loaded.row, now };
	if (seen === null) return chooseImport(at);
	switch (seen.about) {
		case 'burn':
			return burnFound(at, seen.found);
		case 'burn-sent':
			return burnSent(at, seen.refusal);
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
			return importFound(at, seen.found, seen.search);
		case 'import-sent':
			return importSent(at, seen.refusal);
		case 'review':
			return stop(currentStep(loaded) ?? 'burn', seen.words);
		case 'no-answer':
			return rest(at, currentStep(loaded) ?? 'burn', words.noAnswer(seen.chain, seen.words));
	}
}
