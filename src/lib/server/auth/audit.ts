import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Schema } from '../db/schema.ts';

/** What detail of an audit row may hold. */
export type AuditValue =
	| string
	| number
	| bigint
	| boolean
	| null
	| undefined
	| readonly AuditValue[]
	| { readonly [name: string]: AuditValue };

export interface AuditEntry {
	/** Account name, or 'visitor', 'configuration', 'command line', 'engine'. */
	actor: string;
	/** A stable word for what was done: `sign-in`, `rpc.sendrawtransaction`, `migration.burn-sent`. */
	action: string;
	/** What it was done to: an account, a daemon, a txid. */
	target?: string | null;
	/** More facts. Members whose names say that they are secret are left out; bigint becomes text. */
	detail?: Readonly<Record<string, AuditValue>>;
}

export interface AuditRow {
	seq: number;
	/** Unix milliseconds. */
	time: number;
	actor: string;
	action: string;
	target: string | null;
	detail: Record<string, unknown>;
}

/** What a check of the chain found. */
export type AuditVerdict =
	| { ok: true; rows: number }
	| { ok: false; seq: number; reason: 'missing' | 'changed' | 'cut-off' };

export interface Audit {
	/** Adds a row; inside a transaction hand that over, so that the row is there exactly when the act is. */
	append(entry: AuditEntry, within?: Kysely<Schema>): Promise<void>;
	/** Lets writers of accounts pass one after the other: the head of the chain is the lock they share. */
	lock(trx: Kysely<Schema>): Promise<void>;
	/** Newest first, at most `limit`, before the row `before`. */
	list(options?: {
		limit?: number;
		before?: number;
		actor?: string;
		action?: string;
	}): Promise<AuditRow[]>;
	/** Computes the chain again from the first row. */
	verify(): Promise<AuditVerdict>;
}

/** Names of members that never reach an audit row, whatever they hold. */
const SECRET_NAME =
	/pass(word|phrase)?$|^(wif|auth|authorization|cookie|userpass|mnemonic|seed)$|secret|priv(ate)?_?key|api_?token|session_?id/i;

const CHUNK = 1000;

function clean(value: AuditValue): unknown {
	if (typeof value === 'bigint') return value.toString();
	if (Array.isArray(value)) return value.map(clean);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(
		Object.entries(value)
			.filter(([name]) => !SECRET_NAME.test(name))
			.map(([name, inner]) => [name, clean(inner)])
	);
}

interface SealedFacts {
	seq: bigint;
	time: bigint;
	actor: string;
	action: string;
	target: string | null;
	detail: string;
}

/**
 * The audit log: rows that are only added, each sealed with an HMAC over itself and the one before, under
 * a key that the database does not hold. Who can write to the database but has no key cannot change,
 * remove or add a row without `verify` finding it.
 */
export function createAudit(db: Kysely<Schema>, key: Uint8Array): Audit {
	/** JSON of an array keeps the borders between the parts, whatever they hold. */
	function seal(row: SealedFacts, previous: string): string {
		const { seq, time, actor, action, target, detail } = row;
		return createHmac('sha256', key)
			.update(
				JSON.stringify([previous, seq.toString(), time.toString(), actor, action, target, detail])
			)
			.digest('hex');
	}

	async function appendWithin(trx: Kysely<Schema>, entry: AuditEntry): Promise<void> {
		// The update locks the head for the rest of the transaction on both databases.
		const head = await trx
			.updateTable('audit_head')
			.set((set) => ({ seq: set('seq', '+', 1n) }))
			.where('id', '=', 1n)
			.returning(['seq', 'hash'])
			.executeTakeFirstOrThrow();
		const facts: SealedFacts = {
			seq: head.seq,
			time: BigInt(Date.now()),
			actor: entry.actor,
			action: entry.action,
			target: entry.target ?? null,
			detail: JSON.stringify(clean(entry.detail ?? {}))
		};
		const hash = seal(facts, head.hash);
		await trx
			.insertInto('audit')
			.values({ ...facts, prev_hash: head.hash, hash })
			.execute();
		await trx.updateTable('audit_head').set({ hash }).where('id', '=', 1n).execute();
	}

	return {
		async append(entry, within) {
			if (within) await appendWithin(within, entry);
			else await db.transaction().execute((trx) => appendWithin(trx, entry));
		},

		async lock(trx) {
			await trx
				.updateTable('audit_head')
				.set((set) => ({ seq: set.ref('seq') }))
				.where('id', '=', 1n)
				.execute();
		},

		async list({ limit = 100, before, actor, action } = {}) {
			let query = db.selectFrom('audit').selectAll().orderBy('seq', 'desc').limit(limit);
			if (before !== undefined) query = query.where('seq', '<', BigInt(before));
			if (actor !== undefined) query = query.where('actor', '=', actor);
			if (action !== undefined) query = query.where('action', '=', action);
			return (await query.execute()).map((row) => ({
				seq: Number(row.seq),
				time: Number(row.time),
				actor: row.actor,
				action: row.action,
				target: row.target,
				detail: JSON.parse(row.detail) as Record<string, unknown>
			}));
		},

		async verify() {
			// The head first: rows that are added while the chain is read are no fault.
			const head = await db
				.selectFrom('audit_head')
				.select(['seq', 'hash'])
				.where('id', '=', 1n)
				.executeTakeFirst();
			let seq = 0n;
			let previous = '';
			for (;;) {
				const rows = await db
					.selectFrom('audit')
					.selectAll()
					.where('seq', '>', seq)
					.orderBy('seq')
					.limit(CHUNK)
					.execute();
				for (const row of rows) {
					if (row.seq !== seq + 1n) return { ok: false, seq: Number(seq + 1n), reason: 'missing' };
					if (!sameHex(seal(row, previous), row.hash) || row.prev_hash !== previous) {
						return { ok: false, seq: Number(row.seq), reason: 'changed' };
					}
					seq = row.seq;
					previous = row.hash;
					if (head && seq === head.seq && head.hash !== row.hash) {
						return { ok: false, seq: Number(seq), reason: 'changed' };
					}
				}
				if (rows.length < CHUNK) break;
			}
			if (!head || head.seq > seq) return { ok: false, seq: Number(seq + 1n), reason: 'cut-off' };
			return { ok: true, rows: Number(seq) };
		}
	};
}

function sameHex(a: string, b: string): boolean {
	const left = Buffer.from(a, 'utf8');
	const right = Buffer.from(b, 'utf8');
	return left.length === right.length && timingSafeEqual(left, right);
}
