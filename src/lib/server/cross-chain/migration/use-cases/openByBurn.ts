import { MAIN_CHAIN } from '#lib/chain/mainChain.ts';
import { parseBurn, serializePayouts } from '#lib/chain/burn.ts';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { serializeTransaction, txidOf } from '#lib/chain/transaction.ts';
import type { DaemonInfo, Gateway } from '#lib/server/chains/daemon/types.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { findTransaction } from '../../../chains/daemon/findTransaction.ts';
import { BEFORE_BURN, type MigrationPolicy } from '../states.ts';
import type { MigrationRecord, MigrationRow } from '../migrationRecord.ts';
import { daemonOfChain, daemonsOfWallet, mainDaemon } from '../routeDaemons.ts';
import { nameOfToken } from '../tokenFacts.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { foreignBurn, importOf, type ForeignBurn } from './foreignBurn.ts';
import { recipientsOf, type NamedPayouts } from './recipientsOf.ts';
import { newMigrationId } from './written.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import type { RecoveryFault } from '#lib/messages/migration/recoveryFaults.ts';

/** The migration of a burn, or why there is none. */
type OpenResult = { kind: 'opened'; id: string } | { kind: 'refused'; fault: RecoveryFault };

/**
 * Returns the daemon that has the wallet of an unsent burn now, if the member may use it. With any other wallet the
 * burn would be sent past the grant and the limits of its own, because nothing of it would count as spent there.
 */
async function walletOfBurn(
	{ gateway, rights }: MigrationDependencies,
	row: MigrationRow,
	actor: string
): Promise<DaemonInfo | undefined> {
	if (gateway.daemon(row.source_daemon)) return undefined;
	const same = daemonsOfWallet(gateway, row);
	for (const info of same) {
		if ((await rights.walletRefusal(actor, info.id)) === null) return info;
	}
	return undefined;
}

/** Whether any daemon of its chain has the burn of a migration. @throws {AppError} `daemon` */
async function isOut(
	gateway: Gateway,
	{ source, burn_txid: txid }: MigrationRow
): Promise<boolean> {
	const daemon = daemonOfChain(gateway, source);
	if (!daemon || txid === null) return false;
	return (await findTransaction(daemonClientOf(gateway, daemon.id), txid)).where !== 'absent';
}

/**
 * Returns the daemon that continues a burn, and whether the burn counts as sent from now on: any daemon of its chain
 * has what is on the network, even after its wallet is gone.
 */
async function continuedBy(
	deps: MigrationDependencies,
	{ row, steps }: MigrationRecord,
	actor: string
): Promise<{ source: DaemonInfo | undefined; isFound: boolean } | RecoveryFault> {
	const { gateway } = deps;
	const ofChain = daemonOfChain(gateway, row.source);
	// A burn that no daemon has listed yet is still sent by the right to a wallet.
	if (row.pubkey === null || steps.get('burn')?.doneAt) return { source: ofChain, isFound: false };
	const source = await walletOfBurn(deps, row, actor);
	if (source || gateway.daemon(row.source_daemon)) return { source, isFound: false };
	try {
		if (await isOut(gateway, row)) return { source: ofChain, isFound: true };
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		return { code: 'unread', error: error.coded };
	}
	return { code: 'wallet-missing', chain: row.source, daemon: row.source_daemon };
}

/**
 * Returns the existing migration of a burn. A daemon that is no longer configured, because it was renamed or
 * replaced, is replaced by another one of its chain, so that the migration can continue.
 */
async function known(deps: MigrationDependencies, id: string, actor: string): Promise<OpenResult> {
	const { gateway, store, wake } = deps;
	const opened: OpenResult = { kind: 'opened', id };
	const migration = await store.load(id);
	// Before the burn the wallet matters, which confirming it checks.
	if (!migration || BEFORE_BURN.includes(migration.row.state)) return opened;
	const { row } = migration;
	const { source_daemon: burning, destination_daemon: importing, kmd_daemon: reading } = row;
	const by = await continuedBy(deps, migration, actor);
	if ('code' in by) return { kind: 'refused', fault: by };
	const { source, isFound } = by;
	const now = (daemon: string, instead: DaemonInfo | undefined): string =>
		gateway.daemon(daemon)?.id ?? instead?.id ?? daemon;
	const daemons = {
		source_daemon: now(burning, source),
		destination_daemon: now(importing, daemonOfChain(gateway, row.destination)),
		kmd_daemon: now(reading, mainDaemon(gateway))
	};
	const isSame =
		daemons.source_daemon === burning &&
		daemons.destination_daemon === importing &&
		daemons.kmd_daemon === reading;
	if (isSame) return opened;
	await store.act(
		id,
		[row.state],
		{
			...(row.due_at === null ? {} : { due: store.now }),
			...(isFound && { steps: [{ step: 'burn' as const, done: true as const }] }),
			event: {
				step: 'burn',
				message: { code: 'migration.recovered', params: { actor, chain: row.source } },
				detail: daemons
			},
			audit: { actor, action: 'migration.opened', target: id, detail: { txid: row.burn_txid } }
		},
		daemons
	);
	wake();
	return opened;
}

/**
 * Recovers a migration whose burn was made elsewhere, by the txid of the burn or of its import.
 * @param named the recipient or all payouts; needed when neither the import nor a known address determines them
 */
export async function openByBurn(
	deps: MigrationDependencies,
	txid: string,
	chain: string,
	actor: string,
	named: NamedPayouts = {}
): Promise<OpenResult> {
	const { gateway, store, wake } = deps;
	const before = await store.byBurn(txid);
	if (before !== null) return known(deps, before, actor);
	const refuse = (fault: RecoveryFault): OpenResult => ({ kind: 'refused', fault });
	let foreign: ForeignBurn | RecoveryFault;
	try {
		foreign = await foreignBurn(deps, txid, chain);
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		return refuse({ code: 'unread', error: error.coded });
	}
	if ('code' in foreign) return refuse(foreign);
	const burnTxid = txidOf(foreign.tx);
	const also = await store.byBurn(burnTxid);
	if (also !== null) return known(deps, also, actor);
	const burn = parseBurn(foreign.tx);
	if (!burn) return refuse({ code: 'no-burn' });
	const sourceDaemon = daemonOfChain(gateway, burn.sourceSymbol);
	const destinationDaemon = daemonOfChain(gateway, burn.targetSymbol);
	const kmdDaemon = mainDaemon(gateway);
	if (!sourceDaemon || !destinationDaemon || !kmdDaemon) {
		return refuse({
			code: 'chains-missing',
			source: burn.sourceSymbol,
			destination: burn.targetSymbol,
			main: MAIN_CHAIN
		});
	}
	const paid = await recipientsOf(deps, foreign, burn, named);
	if ('code' in paid) return refuse(paid);
	let imported: Awaited<ReturnType<typeof importOf>>;
	try {
		imported = await importOf(
			daemonClientOf(gateway, sourceDaemon.id),
			daemonClientOf(gateway, destinationDaemon.id),
			burnTxid
		);
	} catch (error) {
		if (!isAppError(error, 'daemon')) throw error;
		return refuse({ code: 'import-unknown', error: error.coded });
	}
	const hex = bytesToHex(serializeTransaction(foreign.tx));
	const newOne = newMigrationId();
	// If the same burn is recovered twice at once, both get the migration that was stored first.
	const id = await store.insert(
		{
			id: newOne,
			path: 'notarized',
			source: burn.sourceSymbol,
			destination: burn.targetSymbol,
			source_daemon: sourceDaemon.id,
			destination_daemon: destinationDaemon.id,
			kmd_daemon: kmdDaemon.id,
			ccid: BigInt(burn.targetCcid),
			pubkey: null,
			tokenid: paid.tokenid,
			token_name: paid.tokenid === null ? null : nameOfToken(hex),
			address: paid.address,
			amount: paid.amount,
			payouts: bytesToHex(serializePayouts(paid.payouts)),
			burn_txid: burnTxid,
			import_scan_from: imported.from,
			created_by: actor,
			policy: 'ask' satisfies MigrationPolicy,
			// An import that already exists is looked for first, and needs no approval.
			state: imported.found
				? 'import-pending'
				: imported.complete
					? 'burn-unknown'
					: 'import-unknown',
			approved_by: null,
			approved_too: null,
			due_at: BigInt(store.now),
			reason: null
		},
		{
			steps: [
				{
					step: 'burn',
					hex: { from: null, to: hex },
					txid: burnTxid,
					started: true
				},
				...(imported.found
					? [{ step: 'import-sent' as const, txid: imported.found.txid, started: true as const }]
					: [])
			],
			event: {
				step: 'burn',
				message: { code: 'migration.recovered', params: { actor, chain: burn.sourceSymbol } }
			},
			audit: { actor, action: 'migration.opened', target: newOne, detail: { txid: burnTxid } }
		}
	);
	wake();
	return { kind: 'opened', id };
}
