/**
 * The recovery file: a migration in one file, so that it can be stored elsewhere and examined without this server.
 * It contains the request and every step with its bytes, but no daemon, account or credential.
 */
import { formatCoins } from '#lib/chain/amount.ts';
import { stepsOf } from './steps.ts';
import type { MigrationRecord } from './migrationRecord.ts';

export const RECOVERY_FILE_FORMAT = 'komodeck-migration';
export const RECOVERY_FILE_VERSION = 1;

interface RecoveryStep {
	step: string;
	/** Raw transaction; null when the step has none. */
	hex: string | null;
	txid: string | null;
	/** Heights, block hashes and roots that the step found. */
	evidence: Readonly<Record<string, unknown>>;
	/** Unix milliseconds. */
	startedAt: number | null;
	doneAt: number | null;
}

interface RecoveryFile {
	format: typeof RECOVERY_FILE_FORMAT;
	version: typeof RECOVERY_FILE_VERSION;
	id: string;
	route: string;
	source: string;
	destination: string;
	/** The shared id of both chains (`ac_cc`). */
	ccid: number;
	/** Recipient on the destination. */
	address: string;
	/** The token that is migrated; null for coins. */
	tokenid: string | null;
	/** What arrives: coins as text with eight decimals, or units of a token. */
	amount: string;
	/** Serialized outputs of the import, hex. */
	payouts: string | null;
	burnTxid: string | null;
	policy: string;
	state: string;
	/** Unix milliseconds. */
	createdAt: number;
	/** In the order of the route; steps that have not begun are omitted. */
	steps: RecoveryStep[];
}

function recoveryFileOf({ row, steps }: MigrationRecord): RecoveryFile {
	return {
		format: RECOVERY_FILE_FORMAT,
		version: RECOVERY_FILE_VERSION,
		id: row.id,
		route: row.path,
		source: row.source,
		destination: row.destination,
		ccid: Number(row.ccid),
		address: row.address,
		tokenid: row.tokenid,
		amount: row.tokenid === null ? formatCoins(row.amount) : row.amount.toString(),
		payouts: row.payouts,
		burnTxid: row.burn_txid,
		policy: row.policy,
		state: row.state,
		createdAt: Number(row.created_at),
		steps: stepsOf(row.path).flatMap(({ id }) => {
			const step = steps.get(id);
			if (!step) return [];
			const { hex, txid, evidence, startedAt, doneAt } = step;
			return [{ step: id, hex, txid, evidence, startedAt, doneAt }];
		})
	};
}

/** Returns the file: indented JSON with a final newline. */
export const writeRecoveryFile = (migration: MigrationRecord): string =>
	`${JSON.stringify(recoveryFileOf(migration), null, '\t')}\n`;
