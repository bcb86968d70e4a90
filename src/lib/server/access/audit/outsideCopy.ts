/** Keeps a copy of what shows how far the log reached, outside of the database. */
import type {
	KeptAccounts,
	KeptCheckpoint,
	openRecord
} from '../../platform/audit-trail/record.ts';
import { idOf, type RecordedTable } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameHex } from '../../platform/secrets/sameHex.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditHashes } from './hashes.ts';
import type { RecordedState } from './recordedState.ts';
import { isTipWhole, readTip } from './tip.ts';

/** How soon after an event the copy is written. */
const KEEP_AFTER_MS = 1_000;

interface OutsideCopyOptions {
	db: Executor<AccessTables>;
	hashes: AuditHashes;
	recorded: RecordedState;
	/** Null: no copy is kept. */
	record: ReturnType<typeof openRecord> | null;
	clock: () => number;
}

interface OutsideCopy {
	/** Writes what is new to the copy. */
	keep(): Promise<void>;
	/** Writes it in a moment; what goes wrong then is told by {@link problem}. */
	keepSoon(): void;
	/** Why it could not be written; null: it was. */
	problem(): string | null;
	/** Writes it once more, and nothing after that. */
	stop(): Promise<void>;
}

/** Tables whose rows let a member in, or use a wallet: none that was taken away may come back by a backup. */
export const TABLES_OF_RIGHTS = ['second_factors', 'identities', 'wallet_grants'] as const;

/** Tables of what admins decided last, and of codes that are used once: no backup may take either back. */
export const TABLES_OF_DECISIONS = [
	'policy_rules',
	'security_settings',
	'spending_limits',
	'fee_caps',
	'recovery_codes'
] as const;

/** What the HMAC of what is kept covers. */
function textOf({ accounts, controls, rights, decided }: Omit<KeptAccounts, 'mac'>): string {
	if (controls === undefined) return JSON.stringify(accounts);
	const before = [accounts, controls, rights];
	return JSON.stringify(decided === undefined ? before : [...before, decided]);
}

export function createOutsideCopy(options: OutsideCopyOptions): OutsideCopy {
	const { db, hashes, recorded, record, clock } = options;
	let soon: NodeJS.Timeout | undefined;
	let problem: string | null = null;
	let keptAccounts: string | null = null;
	let keeping: Promise<void> = Promise.resolve();

	/**
	 * Only what goes on from the copy is added to it: where the two disagree, the copy is the evidence and
	 * stays as it is.
	 */
	async function write(): Promise<void> {
		if (record === null) return;
		const { checkpoint: lastKnown, end } = record.last();
		const tip = await readTip(db);
		if (!tip || !(await isTipWhole(db, hashes, tip))) return;
		const checkpoints = await db
			.selectFrom('audit_checkpoints')
			.selectAll()
			.where('number', '>=', BigInt(lastKnown?.number ?? 1))
			.orderBy('number')
			.execute();
		const [first] = checkpoints;
		if (lastKnown && !sameHex(first?.mac ?? null, lastKnown.mac)) return;
		const fresh = (lastKnown ? checkpoints.slice(1) : checkpoints).map((row): KeptCheckpoint => ({
			number: Number(row.number),
			first: Number(row.first_seq),
			last: Number(row.last_seq),
			rows: Number(row.rows),
			lastHash: row.last_hash,
			previous: row.previous,
			sealedAt: Number(row.created_at),
			mac: row.mac
		}));
		if (fresh.length > 0) record.addCheckpoints(fresh);
		if (end !== null) {
			if (BigInt(end.seq) >= tip.seq) return;
			const event = await db
				.selectFrom('audit_events')
				.select('hash')
				.where('seq', '=', BigInt(end.seq))
				.executeTakeFirst();
			// Without the event its segment was dropped, which the checkpoints prove.
			const dropped = checkpoints.some((row) => row.last_seq >= BigInt(end.seq)) || lastKnown;
			if (event ? event.hash !== end.hash : !dropped) return;
		}
		const { mac } = tip;
		if (tip.seq > 0n && mac !== null) {
			// The end last: what it says is there already, and who is broken off before it, as by a full disk, writes both again.
			await writeAccounts();
			record.setEnd({ seq: Number(tip.seq), hash: tip.hash, at: clock(), mac });
		}
	}

	/** What a restore of an earlier backup is held against: who was shut out since, and what was stopped. */
	async function writeAccounts(): Promise<void> {
		const states = await recorded.baseline(db);
		const rowsOf = (wanted: RecordedTable) =>
			Object.fromEntries(
				states
					.filter(({ table }) => table === wanted)
					.map(({ key: [id = ''], is }) => [id, { ...is }] as const)
					.toSorted()
			);
		const rights = states
			.filter(({ table }) => TABLES_OF_RIGHTS.some((name) => name === table))
			.map(({ table, key }) => idOf(table, key))
			.toSorted();
		const decided = Object.fromEntries(
			states
				.filter(({ table }) => TABLES_OF_DECISIONS.some((name) => name === table))
				.map(({ table, key, is }) => [idOf(table, key), { ...is }] as const)
				.toSorted()
		);
		const [accounts, controls] = [rowsOf('accounts'), rowsOf('safety_controls')];
		const known = { accounts, controls, rights, decided };
		const mac = hashes.accounts(textOf(known));
		if (mac === keptAccounts) return;
		record?.setAccounts({ ...known, mac });
		keptAccounts = mac;
	}

	/** One after the other: two at once would write the same checkpoint. */
	function keep(): Promise<void> {
		keeping = keeping
			.catch(() => undefined)
			.then(write)
			.then(() => void (problem = null))
			.catch((error: unknown) => {
				problem = error instanceof Error ? error.message : String(error);
				throw error;
			});
		return keeping;
	}

	return {
		keep,
		keepSoon() {
			if (record === null || soon !== undefined) return;
			soon = setTimeout(() => {
				soon = undefined;
				keep().catch(() => undefined);
			}, KEEP_AFTER_MS);
			soon.unref();
		},
		problem: () => problem,
		async stop() {
			clearTimeout(soon);
			soon = undefined;
			await keep();
		}
	};
}

/** Whether what was kept of the accounts outside of the database was written with a key of this installation. */
export function isKeptHere(hashes: AuditHashes, { mac, ...known }: KeptAccounts): boolean {
	return hashes.isAccounts(mac, textOf(known));
}
