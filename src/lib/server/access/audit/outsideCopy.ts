/** Keeps a copy outside of the database of what proves how far the log reached. */
import { fileFault } from '#lib/messages/fileFaults.ts';
import type {
	StoredAccounts,
	StoredCheckpoint,
	openRecord
} from '../../platform/audit-trail/record.ts';
import { idOf, type RecordedTable } from '../../platform/audit-trail/recorded.ts';
import type { Executor } from '../../platform/database/database.ts';
import { sameText } from '../../platform/secrets/sameText.ts';
import type { AccessTables } from '../tables.ts';
import type { AuditHashes } from './hashes.ts';
import type { RecordedState } from './recordedState.ts';
import { isTipIntact, readTip } from './tip.ts';

/** How soon after an event the copy is written, in milliseconds. */
const KEEP_AFTER_MS = 1_000;

type OutsideRecord = ReturnType<typeof openRecord>;

interface OutsideCopyOptions {
	db: Executor<AccessTables>;
	hashes: AuditHashes;
	recorded: RecordedState;
	/** Null: no copy is kept. */
	record: OutsideRecord | null;
	clock: () => number;
}

interface OutsideCopy {
	/** Writes what is new to the copy, or what another server of the folder has written over it. */
	keep(): Promise<void>;
	/** Writes what is new to the copy shortly after; a failure is then reported by {@link problem}. */
	keepSoon(): void;
	/** Why the copy could not be written; null: it was. */
	problem(): string | null;
	/** Writes the copy once more, and nothing after that. */
	stop(): Promise<void>;
}

/**
 * Tables whose rows let a member log in, or use a wallet: restoring a backup must not bring withdrawn rows
 * back.
 */
export const TABLES_OF_RIGHTS = ['second_factors', 'identities', 'wallet_grants'] as const;

/**
 * Tables of the admins' latest decisions, and of single-use codes: restoring a backup must not undo either.
 */
export const TABLES_OF_DECISIONS = [
	'policy_rules',
	'security_settings',
	'spending_limits',
	'fee_caps',
	'recovery_codes'
] as const;

/** The text that the HMAC of the copy covers. */
function textOf({ accounts, controls, rights, decided }: Omit<StoredAccounts, 'mac'>): string {
	if (controls === undefined) return JSON.stringify(accounts);
	const before = [accounts, controls, rights];
	return JSON.stringify(decided === undefined ? before : [...before, decided]);
}

export function createOutsideCopy(options: OutsideCopyOptions): OutsideCopy {
	const { db, hashes, recorded, record, clock } = options;
	let soon: NodeJS.Timeout | undefined;
	let problem: string | null = null;
	let keeping: Promise<void> = Promise.resolve();

	/**
	 * Adds to the copy only what continues it. Where log and copy disagree, the copy is the evidence and
	 * stays unchanged.
	 *
	 * @param looksAgain whether the accounts in the copy are also compared when it reaches the end of the log
	 */
	async function write(looksAgain: boolean): Promise<void> {
		if (record === null) return;
		const { checkpoint: lastKnown, end } = record.last();
		const tip = await readTip(db);
		if (!tip || !(await isTipIntact(db, hashes, tip))) return;
		const checkpoints = await db
			.selectFrom('audit_checkpoints')
			.selectAll()
			.where('number', '>=', BigInt(lastKnown?.number ?? 1))
			.orderBy('number')
			.execute();
		const [first] = checkpoints;
		if (lastKnown && !sameText(first?.mac ?? null, lastKnown.mac)) return;
		const fresh = (lastKnown ? checkpoints.slice(1) : checkpoints).map((row): StoredCheckpoint => ({
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
			const seen = BigInt(end.seq);
			if (seen > tip.seq || (seen === tip.seq && !looksAgain)) return;
			const event = await db
				.selectFrom('audit_events')
				.select('hash')
				.where('seq', '=', seen)
				.executeTakeFirst();
			// If the event is missing, its segment was dropped, which the checkpoints prove.
			const dropped = checkpoints.some((row) => row.last_seq >= seen) || lastKnown;
			if (event ? event.hash !== end.hash : !dropped) return;
		}
		const { mac } = tip;
		if (tip.seq > 0n && mac !== null) {
			// The end is written last: when it is there, everything that it covers is. After an interruption,
			// such as a full disk, both are written again.
			await writeAccounts(record);
			if (end !== null && BigInt(end.seq) === tip.seq) return;
			record.setEnd({ seq: Number(tip.seq), hash: tip.hash, at: clock(), mac });
		}
	}

	/**
	 * Writes what the restore of an earlier backup is compared with: accounts, rights, safety controls and
	 * decisions.
	 */
	async function writeAccounts(into: OutsideRecord): Promise<void> {
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
		// What this process wrote last does not count: another server may share the folder.
		if (mac !== into.accounts()?.mac) into.setAccounts({ ...known, mac });
	}

	/** Serializes writes: two at once would write the same checkpoint twice. */
	function keepNow(looksAgain: boolean): Promise<void> {
		keeping = keeping
			.catch(() => undefined)
			.then(() => write(looksAgain))
			.then(() => void (problem = null))
			.catch((error: unknown) => {
				problem = fileFault(error) ?? (error instanceof Error ? error.message : String(error));
				throw error;
			});
		return keeping;
	}

	const keep = (): Promise<void> => keepNow(true);

	return {
		keep,
		keepSoon() {
			if (record === null || soon !== undefined) return;
			soon = setTimeout(() => {
				soon = undefined;
				keepNow(false).catch(() => undefined);
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

/** Whether the copy of the accounts outside of the database was written with a key of this installation. */
export function isKeptHere(hashes: AuditHashes, { mac, ...known }: StoredAccounts): boolean {
	return hashes.isAccounts(mac, textOf(known));
}
