/**
 * Moves one migration as far as it goes now. Whatever it is about to do stands in the database before it
 * does it, so it may be killed anywhere: the next worker looks up what happened.
 */
import type { DaemonParams } from '#lib/rpc/daemon/index.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import { askerOf } from '../../chains/daemon/lookup.ts';
import { USUAL_FINALITY, type FinalityRule } from '../../platform/config/finality.ts';
import { newOwner } from '../../platform/jobs/owner.ts';
import type { Lease } from '../../platform/jobs/rows.ts';
import { decide, needsNoLook, type Decision, type Observation } from './decide.ts';
import { build, observe, type Looking, type Recheck } from './observe.ts';
import { readSendRefusal, type Refusal } from './refusals.ts';
import { pauseAfter } from './steps.ts';
import { StoreError, type Change, type Loaded, type MigrationStore } from './store.ts';
import { words } from './words.ts';

const LEASE_MS = 15_000;
/** More moves than a migration has steps: a loop that does not end is a fault of ours. */
const MOST_MOVES = 64;

interface EngineOptions {
	gateway: Gateway;
	store: MigrationStore;
	/** The approvals of published burns. */
	book: Recheck;
	/** When a block is final, by chain. */
	finality?: ReadonlyMap<string, FinalityRule> | undefined;
	/** How long a lease lasts without being renewed; what a worker held that was killed on another machine waits this long. */
	leaseMs?: number | undefined;
}

export type Outcome =
	/** It was moved, and rests now. */
	| 'moved'
	/** Another worker holds it, or nothing is due. */
	| 'held'
	/** The lease was lost on the way: what was not written is somebody else's now. */
	| 'lost';

/** A migration that cannot be moved because of a fault of ours; the cause is kept. */
class EngineError extends Error {
	override readonly name = 'EngineError';
	readonly code = 'engine';
}

/** What a daemon has just taken is looked for a little later, with the reason why it is not there yet. */
function notShown({ row }: Loaded, now: number): Change {
	const burn = row.state === 'burn-unknown';
	const chain = burn ? row.source : row.destination;
	const due = now + pauseAfter(burn ? 'burn' : 'import-sent', now - Number(row.state_since));
	return { reason: words.notShown(chain), due };
}

export class Engine {
	readonly #gateway: Gateway;
	readonly #store: MigrationStore;
	readonly #looking: Looking;
	readonly #leaseMs: number;
	readonly #owner = newOwner();

	constructor(options: EngineOptions) {
		this.#gateway = options.gateway;
		this.#store = options.store;
		this.#looking = {
			gateway: options.gateway,
			book: options.book,
			ruleOf: (chain) => options.finality?.get(chain) ?? USUAL_FINALITY
		};
		this.#leaseMs = options.leaseMs ?? LEASE_MS;
	}

	/** Moves a migration until it has to wait, whether it is due or not. */
	async advance(id: string): Promise<Outcome> {
		const lease = await this.#store.leases.take(id, this.#owner, this.#leaseMs);
		return lease ? this.move(lease) : 'held';
	}

	/** Takes the migration that has been due the longest; null when none is due and free. */
	takeDue(): Promise<Lease | null> {
		return this.#store.leases.takeDue(this.#owner, this.#leaseMs);
	}

	/** Moves a migration that was taken until it has to wait. */
	async move(lease: Lease): Promise<Outcome> {
		const renewal = setInterval(() => {
			// Whether it was renewed shows at the next write.
			void this.#store.leases.renew(lease, this.#leaseMs).catch(() => false);
		}, this.#leaseMs / 3);
		renewal.unref();
		try {
			await this.#walk(lease);
			await this.#store.leases.release(lease);
			return 'moved';
		} catch (error) {
			if (error instanceof StoreError) return 'lost';
			throw error;
		} finally {
			clearInterval(renewal);
		}
	}

	async #walk(lease: Lease): Promise<void> {
		let seen: Observation | null = null;
		const sent = new Set<Decision['next']>();
		for (let move = 0; move < MOST_MOVES; move++) {
			const loaded = await this.#store.load(lease.id);
			if (!loaded || loaded.row.fence !== lease.fence || loaded.row.due_at === null) return;
			if (!seen) {
				seen = await observe(this.#looking, loaded);
				if (!seen && !needsNoLook(loaded.row)) return;
			}
			const decision: Decision = decide(loaded, seen, this.#store.now);
			if (sent.has(decision.next)) {
				// It took the bytes and does not show them: asked at once again and again it would not either.
				await this.#store.write(lease, {
					...decision.change,
					...notShown(loaded, this.#store.now)
				});
				return;
			}
			await this.#store.write(lease, decision.change);
			const before: Observation | null = seen;
			seen = null;
			if (decision.next === 'rest') return;
			if (decision.next === 'build') {
				const approvals = before?.about === 'burn-stands' ? before.approvals : null;
				const { source_daemon } = loaded.row;
				seen = await build(askerOf(this.#gateway, source_daemon), loaded, approvals);
			} else if (decision.next !== 'again') {
				sent.add(decision.next);
				seen = await this.#send(lease, loaded, decision.next);
			}
		}
		throw new EngineError(`The migration ${lease.id} does not come to rest.`);
	}

	/** Sends exactly the bytes that are stored, once. */
	async #send(
		lease: Lease,
		{ row, steps }: Loaded,
		what: 'send-burn' | 'send-import'
	): Promise<Observation> {
		const burn = what === 'send-burn';
		const daemon = burn ? row.source_daemon : row.destination_daemon;
		const hex = steps.get(burn ? 'burn' : 'import-sent')?.hex;
		if (!hex) throw new EngineError(`The migration ${row.id} has no bytes to send.`);
		// A worker whose lease ended in the meantime leaves the sending to the next one.
		if (!(await this.#store.leases.renew(lease, this.#leaseMs))) {
			throw new StoreError('stale-lease', `Another worker moves the migration ${row.id}.`);
		}
		let refusal: Refusal | null = null;
		try {
			// A burn that was made from chosen outputs may leave more to the miners than daemons let pass.
			const params: DaemonParams<'sendrawtransaction'> =
				burn && steps.has('compose') ? [hex, true] : [hex];
			await this.#gateway.call(daemon, 'sendrawtransaction', params, { priority: 'background' });
		} catch (error) {
			refusal = readSendRefusal(error);
		}
		return { about: burn ? 'burn-sent' : 'import-sent', refusal };
	}
}
