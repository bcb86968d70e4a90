/**
 * Logs what members and tokens tried without the right, within bounds: the first time at once; repetitions
 * within a window are counted and written as one event when the window ends. So repeated attempts cannot fill
 * the log. Callers without an account cause no event, only a count.
 */
import { ANY } from '#lib/messages/audit/values.ts';
import type { ErrorParams } from '#lib/messages/errors/index.ts';
import type { RecordedDenial } from '#lib/messages/denials.ts';
import { MINUTE_MS } from '#lib/text/units.ts';
import type { AuditEntry, AuditValue } from '../../platform/audit-trail/entry.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import type { Member } from '../identity/identity.ts';
import { currentActor, currentRequest, noteRefusal } from './context.ts';

/**
 * `role`: the role lacks the right; `token`: beyond the token's limits; `wallet`: the wallet is not granted;
 * `limit`: above a spending limit or the fee cap, or not measurable; `policy`: by a rule of the policies;
 * `safety`: stopped by a safety control; `signature`: one that does not cover the whole transaction;
 * `recipient`: an address whose coins no one could spend; `factor`: the second factor must be shown again.
 */
export type RefusedWhy =
	| 'role'
	| 'token'
	| 'wallet'
	| 'limit'
	| 'policy'
	| 'safety'
	| 'signature'
	| 'recipient'
	| 'factor';
/** Why a caller without an account was refused. */
export type AnonymousWhy = 'sign-in' | 'credential' | 'origin';
/** Where it was tried: by a call, or on a page. */
export type RefusedWhere = 'call' | 'page';

/** A refused action. */
export interface RefusedAct {
	where: RefusedWhere;
	why: RefusedWhy;
	/**
	 * A method, or a route with its HTTP method. It must come from a bounded set, since it distinguishes
	 * events.
	 */
	what: string;
	/** The chain, daemon or trading node that it concerned. */
	place?: string | null;
	reason: RecordedDenial;
	/** The path that was requested. */
	path?: string;
	/** Bounded facts, such as amount and recipients; for repetitions those of the first time. */
	facts?: Readonly<Record<string, AuditValue>>;
}

/**
 * Returns the refused action for an API token used from an address where it is not allowed: it may have been
 * stolen.
 */
export const usedElsewhere = (
	{ token, address }: ErrorParams<'account.token-elsewhere'>,
	where: RefusedWhere
): RefusedAct => ({
	where,
	why: 'token',
	what: 'API token',
	reason: { code: 'token-elsewhere' },
	facts: { via: 'token', token, address }
});

export interface Refusals {
	/**
	 * Logs a refusal, or counts it when the same one was logged within the window. It never fails because of
	 * the database: what could not be written is written when the window ends.
	 * @param who the identity, or the name of the account where nothing else is known
	 */
	refused(who: Member | string, act: RefusedAct): Promise<void>;
	/** Counts a refusal of a caller who showed no account. */
	anonymous(where: RefusedWhere, why: AnonymousWhy): void;
	/** Writes the counts since the last time. */
	flush(): Promise<void>;
	/** Writes the counts at the end of each window, until stopped. */
	watch(onError: (error: unknown) => void): void;
	/** Stops the watch and writes the counts. */
	stop(): Promise<void>;
}

export interface RefusalsParts {
	audit: { append(entry: AuditEntry): Promise<void> };
	/** Counts every refusal for the metrics. */
	count?: (
		who: 'person' | 'token' | 'stranger',
		where: RefusedWhere,
		why: RefusedWhy | AnonymousWhy
	) => void;
	/** Unix milliseconds. */
	clock?: () => number;
}

/** How long the same refusal is counted instead of written, in milliseconds. */
const WINDOW_MS = 5 * MINUTE_MS;
/**
 * Most different refusals of one account for one reason that get separate events within a window. Each reason has
 * its own number, so that harmless refusals do not switch off the notices of others.
 */
export const MOST_OF_A_REASON = 30;

/** Returns the identity of the current request, if it acts for the account of this name. */
function callerNamed(name: string): Member | null {
	const caller = currentActor();
	return caller?.account.name === name ? caller : null;
}

interface Counted {
	entry: AuditEntry;
	why: RefusedWhy;
	/** Number of repetitions that no event tells of yet. */
	repeats: number;
	/** Unix milliseconds. */
	since: number;
	lastRequest: string | null;
}

interface MemberRefusals {
	acts: Map<string, Counted>;
	/** Number of refusals beyond {@link MOST_OF_A_REASON}. */
	others: number;
	since: number;
}

export function createRefusals({ audit, count, clock = Date.now }: RefusalsParts): Refusals {
	let people = new Map<string, MemberRefusals>();
	let timer: NodeJS.Timeout | undefined;

	/** False when the database cannot store the event now. */
	async function written(entry: AuditEntry): Promise<boolean> {
		try {
			await audit.append(entry);
			return true;
		} catch (error) {
			if (databaseErrorKind(error) === null) throw error;
			return false;
		}
	}

	const iso = (time: number): string => new Date(time).toISOString();

	const repeated = ({ entry, repeats, since, lastRequest }: Counted): AuditEntry => ({
		...entry,
		detail: { ...entry.detail, repeats, since: iso(since), lastRequest }
	});

	const beyond = (actor: string, { others, since }: MemberRefusals): AuditEntry => ({
		actor,
		action: 'call.refused',
		target: ANY,
		detail: { repeats: others, since: iso(since) }
	});

	async function flush(): Promise<void> {
		const ended = people;
		people = new Map();
		for (const [actor, own] of ended) {
			const kept: MemberRefusals = { acts: new Map(), others: 0, since: clock() };
			for (const [key, counted] of own.acts) {
				if (counted.repeats === 0) continue;
				const done = await written(repeated(counted));
				// Kept for the next window, so that an actor who continues gets one event per window.
				kept.acts.set(key, done ? { ...counted, repeats: 0, since: clock() } : counted);
			}
			if (own.others > 0 && !(await written(beyond(actor, own)))) kept.others = own.others;
			if (kept.acts.size === 0 && kept.others === 0) continue;
			// Merges refusals that arrived during the writing.
			const meanwhile = people.get(actor);
			for (const [key, counted] of meanwhile?.acts ?? []) {
				const before = kept.acts.get(key);
				if (before) before.repeats += counted.repeats;
				else kept.acts.set(key, counted);
			}
			kept.others += meanwhile?.others ?? 0;
			people.set(actor, kept);
		}
	}

	return {
		async refused(who, { where, why, what, place = null, reason, path, facts }) {
			noteRefusal();
			const member = typeof who === 'string' ? callerNamed(who) : who;
			const via = member?.via ?? null;
			const token = member?.via === 'token' ? member.token : null;
			count?.(via === 'token' ? 'token' : 'person', where, why);
			const actor = typeof who === 'string' ? who : who.account.name;
			const now = clock();
			const own = people.get(actor) ?? { acts: new Map<string, Counted>(), others: 0, since: now };
			people.set(actor, own);
			// By credential too: what a stolen token tries must not be counted to the member's own session.
			const key = JSON.stringify([where, why, what, place, via, token?.id]);
			const before = own.acts.get(key);
			if (before) {
				before.repeats += 1;
				before.lastRequest = currentRequest();
				return;
			}
			const alike = [...own.acts.values()].filter((counted) => counted.why === why);
			if (alike.length >= MOST_OF_A_REASON) {
				own.others += 1;
				return;
			}
			const entry: AuditEntry = {
				actor,
				action: `${where}.refused`,
				target: what,
				place,
				detail: {
					...facts,
					why,
					reason,
					...(via === null ? {} : { via }),
					...(token === null ? {} : { token: token.name }),
					...(path === undefined ? {} : { path: path.slice(0, 200) })
				}
			};
			const counted: Counted = {
				entry,
				why,
				repeats: 0,
				since: now,
				lastRequest: currentRequest()
			};
			own.acts.set(key, counted);
			if (!(await written(entry))) counted.repeats += 1;
		},

		anonymous: (where, why) => count?.('stranger', where, why),
		flush,

		watch(onError) {
			timer = setInterval(() => void flush().catch(onError), WINDOW_MS);
			timer.unref();
		},

		async stop() {
			clearInterval(timer);
			await flush();
		}
	};
}
