import type { Account, Identity } from '../../../access/identity/identity.ts';
import { mayAccess } from '../../../access/policy/permissions.ts';
import type { Rights } from '../../../access/rights/rights.ts';
import type { Gateway } from '../../../chains/daemon/types.ts';
import { mayReadBytes, type BytesStatus } from '../../../wallet/transactions/bytes.ts';
import { statusOfMigration, statusOfStep } from '../bytes.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { walletOfDraft } from '../routeDaemons.ts';
import { BEFORE_BURN, UNCONFIRMED } from '../states.ts';
import { spendsOnRetry } from './retry.ts';

interface RightsParts {
	gateway: Gateway;
	rights: Pick<Rights, 'walletRefusal' | 'endRefusal' | 'isLimited'>;
}

interface Reader {
	account: Account | null;
	identity: Identity;
}

/** The bytes of the burn of a draft, which policies judge before a member sends them. */
interface BurnToForesee {
	chain: string;
	daemon: string;
	hex: string;
	payouts: string | null;
}

/** What the reader of a migration may do with it. */
interface RightsOverMigration {
	/** Why they cannot send the burn of a draft, or one that a retry may have to send; null when they can. */
	foreign: string | null;
	/** Why they may neither discard it nor decide about its notary approvals; null when they may. */
	held: string | null;
	/** The burn that they could send now; null for none. */
	burn: BurnToForesee | null;
	/** The bytes of its steps that they may read, by step. */
	hexes: Record<string, string>;
	/** Whether they may download the file with all steps and their transactions. */
	hasFile: boolean;
}

/**
 * Returns the wallet with which a member would send the burn, null where no burn is to be sent. A draft's daemon may
 * have been renamed since.
 */
function walletToSend(gateway: Gateway, migration: MigrationRecord): string | null {
	const { row } = migration;
	if (BEFORE_BURN.includes(row.state)) {
		return walletOfDraft(gateway, row)?.id ?? row.source_daemon;
	}
	return row.state === 'stuck' && spendsOnRetry(migration) ? row.source_daemon : null;
}

/** Returns the burn of a draft that this reader could send with a wallet. */
function burnToForesee(
	gateway: Gateway,
	{ identity }: Reader,
	{ row, steps }: MigrationRecord,
	daemon: string | null
): BurnToForesee | null {
	const hex = steps.get('burn')?.hex;
	if (!hex || daemon === null || !UNCONFIRMED.includes(row.state)) return null;
	if (!mayAccess(identity.role, 'broadcast', false)) return null;
	// No other daemon can measure what the burn spends.
	return gateway.daemon(daemon) ? { chain: row.source, daemon, hex, payouts: row.payouts } : null;
}

export async function rightsOverMigration(
	{ gateway, rights }: RightsParts,
	reader: Reader,
	migration: MigrationRecord
): Promise<RightsOverMigration> {
	const { row, steps } = migration;
	const { account } = reader;
	const wallet = walletToSend(gateway, migration);
	const { id, created_by: by, source_daemon: daemon } = row;
	const no =
		account === null || wallet === null ? null : await rights.walletRefusal(account.name, wallet);
	const held =
		account === null
			? null
			: await rights.endRefusal(account.name, { kind: 'migration', id, by, daemon });
	const statuses = new Map([...steps.keys()].map((step) => [step, statusOfStep(migration, step)]));
	const readable = new Set<BytesStatus>();
	for (const status of new Set([...statuses.values(), statusOfMigration(migration)])) {
		const bytes = { status, chain: row.source, daemon, access: 'broadcast' } as const;
		if (await mayReadBytes(rights, reader, bytes)) readable.add(status);
	}
	const hexes: Record<string, string> = {};
	for (const [step, { hex }] of steps) {
		if (hex !== null && readable.has(statuses.get(step)!)) hexes[step] = hex;
	}
	return {
		foreign: no?.message ?? null,
		held: held?.message ?? null,
		burn: no === null ? burnToForesee(gateway, reader, migration, wallet) : null,
		hexes,
		hasFile: readable.has(statusOfMigration(migration))
	};
}
