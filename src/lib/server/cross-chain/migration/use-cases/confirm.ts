import { sameMessage } from '#lib/messages/catalogue.ts';
import { recordedError } from '#lib/messages/errors/recorded.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { isRefused } from '../../../access/rights/refused.ts';
import type { MeasuredSpend } from '../../../access/rights/spend.ts';
import { isAppError } from '../../../platform/errors/appError.ts';
import { buildFailure, isStillGood, readBurn } from '../buildBurn.ts';
import { readHex } from '../burnReview.ts';
import { refusal, type Check } from '../check.ts';
import type { MigrationRow } from '../migrationRecord.ts';
import { walletOfDraft } from '../routeDaemons.ts';
import { BEFORE_BURN } from '../states.ts';
import type { MigrationStore } from '../store.ts';
import { adopt } from './adopt.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { checkFor, foreignWallet, lockedBy } from './guards.ts';
import { isExposed } from './mayBeOut.ts';
import { rebuild, type RebuildResult } from './rebuild.ts';
import { requestOf } from './storedRequest.ts';
import { amountText } from './written.ts';

/** Result of a confirmation. */
type ConfirmResult =
	| { kind: 'confirmed' }
	/** Other members have to approve the burn; then it is sent automatically. */
	| { kind: 'needs-approval' }
	| RebuildResult;

/** Stores the failed check in the draft, unless the draft has this reason or a more important one. */
async function notePreflight(
	store: MigrationStore,
	row: MigrationRow,
	checks: readonly Check[]
): Promise<void> {
	const check = checks.find(({ result }) => result === 'fail')?.message;
	if (!check) return;
	// The reason says that the burn has to be looked for before it is discarded or built again.
	if (isExposed(row)) return;
	// A burn that others may have approved already is confirmed by the next round, and keeps its outputs until then.
	if (row.state === 'burn-needs-approval') return;
	const reason = { code: 'check.failed', params: { check } } as const;
	if (row.state === 'preflight-failed' && sameMessage(row.reason, reason)) return;
	await store.act(row.id, [row.state], {
		state: 'preflight-failed',
		reason,
		event: { step: 'burn', message: { code: 'preflight.failed', params: { check } } }
	});
}

/** Makes the write fail when the stored burn is not the one that was checked: another server may have rebuilt it. */
const sameBurn = (hex: string) => ({ step: 'burn', hex: { from: hex, to: hex } }) as const;

type RefusedSpend = Parameters<MigrationDependencies['rights']['withRequest']>[0];

/**
 * Requests approval of the burn; it is not sent, and its outputs stay locked, until it is approved. State and
 * request are written in one transaction, so that no approval is requested for a burn that was rebuilt meanwhile.
 * @returns the refusal when approval could not be requested
 */
async function awaitApproval(
	{ store, rights }: MigrationDependencies,
	row: MigrationRow,
	spend: MeasuredSpend,
	error: RefusedSpend
): Promise<ConfirmResult | RefusedSpend> {
	const hex = spend.bytes?.hex ?? '';
	try {
		const done = await store.act(
			row.id,
			// A round that confirms what was approved must not ask again for what became a draft meanwhile.
			[row.state],
			{ due: null, steps: [sameBurn(hex)] },
			{},
			undefined,
			async (trx) => {
				await store.lock(trx, row, readHex(hex, 'burn').vin);
				const about = { kind: 'migration', subject: row.id } as const;
				const asked = await rights.withRequest(error, spend, about, trx);
				if (!isAppError(asked, 'policy.needs-approval')) throw asked;
				const { request } = asked.params;
				const reason = { code: 'burn.needs-approval', params: { request } } as const;
				if (row.state === 'burn-needs-approval' && sameMessage(row.reason, reason)) return;
				return { state: 'burn-needs-approval', reason, event: { step: 'burn', message: reason } };
			}
		);
		return { kind: done ? 'needs-approval' : 'moved-on' };
	} catch (refused) {
		if (isAppError(refused, 'utxos.locked'))
			return { kind: 'refused', checks: [lockedBy(refused)] };
		if (!isRefused(refused)) throw refused;
		return refused;
	}
}

/**
 * Confirms a reviewed burn; the engine then sends it and completes the migration.
 * @param seen txid of the burn that the member reviewed; null when none was shown
 */
export async function confirm(
	deps: MigrationDependencies,
	id: string,
	actor: string,
	seen: string | null
): Promise<ConfirmResult> {
	const { gateway, store, rights, approvals, wake } = deps;
	const migration = await store.load(id);
	const burn = migration?.steps.get('burn');
	const hex = burn?.hex;
	if (!migration || !hex || !BEFORE_BURN.includes(migration.row.state)) return { kind: 'moved-on' };
	const { row, damaged } = migration;
	// The txid that was read together with the bytes: the migration's own row may be from before a rebuild.
	const txid = burn.txid ?? row.burn_txid;
	if (seen !== null && seen !== txid) return { kind: 'rebuilt' };
	if (damaged !== undefined) {
		const unreadable = { code: 'burn.evidence-unreadable', params: { step: damaged } } as const;
		return { kind: 'refused', checks: [refusal(unreadable)] };
	}
	const wallet = walletOfDraft(gateway, row)?.id ?? row.source_daemon;
	const foreign = await foreignWallet(deps, actor, wallet, 'migration confirmed');
	if (foreign) return { kind: 'refused', checks: [foreign] };
	try {
		const adopted = await adopt(deps, migration, actor);
		if (adopted !== null) return { kind: adopted ? 'confirmed' : 'moved-on' };
	} catch (error) {
		return { kind: 'refused', checks: [refusal(buildFailure(error))] };
	}
	const { checks, route } = await checkFor(deps, actor, requestOf(migration), row);
	const failed = (more: Check[] = checks): ConfirmResult => ({ kind: 'refused', checks: more });
	if (!route) {
		await notePreflight(store, row, checks);
		return failed();
	}
	const client = daemonClientOf(gateway, row.source_daemon);
	try {
		const sameWallet = route.sourceDaemon.id === row.source_daemon && route.pubkey === row.pubkey;
		if (!sameWallet || !(await isStillGood(client, store, row, hex))) {
			return await rebuild(deps, migration, route);
		}
		// The bytes are reviewed again, so that the confirmed burn is the one that is sent.
		await readBurn(client, { hex, payouts: row.payouts ?? '' }, requestOf(migration), route);
	} catch (error) {
		return failed([...checks, refusal(buildFailure(error))]);
	}
	let spend: MeasuredSpend | null = null;
	try {
		const measured = await rights.measureSpend(actor, row.source_daemon, hex, row.payouts);
		spend = measured;
		// The checks take time, and access to the wallet may have been revoked meanwhile.
		const taken = await foreignWallet(deps, actor, row.source_daemon, 'migration confirmed');
		if (taken) return failed([...checks, taken]);
		const done = await store.act(
			id,
			BEFORE_BURN,
			{
				state: 'burn-unknown',
				reason: null,
				due: store.now,
				scanFrom: route.importScanFrom,
				steps: [{ ...sameBurn(hex), evidence: { confirmedBy: actor }, started: true }],
				event: { step: 'burn', message: { code: 'burn.confirmed', params: { actor } } },
				audit: {
					actor,
					action: 'migration.confirmed',
					target: id,
					detail: { txid, amount: amountText(row), chain: row.source }
				}
			},
			{},
			undefined,
			async (trx) => {
				// The locks of an old draft may have expired; a confirmed burn must hold them.
				await store.lock(trx, row, readHex(hex, 'burn').vin);
				await rights.recordSpend(measured, trx);
				// If the rule that required approval is gone, open requests are void.
				await approvals.voidOf(id, actor, trx);
			}
		);
		wake();
		return { kind: done ? 'confirmed' : 'moved-on' };
	} catch (error) {
		if (isAppError(error, 'utxos.locked')) return failed([...checks, lockedBy(error)]);
		if (!isRefused(error)) throw error;
		const outcome =
			isAppError(error, 'policy.needs-approval') && spend !== null
				? await awaitApproval(deps, row, spend, error)
				: error;
		if (!isRefused(outcome)) return outcome;
		await rights.spendRefused(actor, row.source_daemon, hex, 'migration', outcome);
		return failed([
			...checks,
			refusal({ code: 'limit.exceeded', params: { error: recordedError(outcome) } }, 'limit')
		]);
	}
}
