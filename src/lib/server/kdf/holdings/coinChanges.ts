/** Changes to active coins: those that pages make, and what is known after those of scripts and the console. */
import type { KdfMethod, KdfParams, KdfResult } from '#lib/rpc/kdf/index.ts';
import { reported } from '#lib/rpc/tolerant.ts';
import type { AuditTrail } from '../../platform/audit-trail/trail.ts';
import { databaseErrorKind } from '../../platform/database/databaseError.ts';
import { isAppError } from '../../platform/errors/appError.ts';
import type { KdfGateway, MadeCall } from '../client/kdfTypes.ts';
import { mayBeDone } from '../calls/failure.ts';
import type { Holdings } from './holdings.ts';
import { judgedPort, type JudgeCall, type KdfPort } from '../calls/kdfPort.ts';
import { noteRequested, noteChange } from './noteChange.ts';
import type { ActivationStore } from '../activation/store.ts';
import type { SwapSettings, SwapSettingsStore } from './swapSettings.ts';

export interface CoinChanges {
	/**
	 * Disables a coin. `passive`: whether it stays loaded for its tokens; null when the node does not report it.
	 * @param judge decides about the call right before it is sent
	 * @throws {AppError} `activation.call-failed`
	 */
	disable(
		node: string,
		coin: string,
		force: boolean,
		by: string,
		judge: JudgeCall
	): Promise<{ passive: boolean | null }>;
	/**
	 * Changes what swaps of an active coin wait for, and returns what the node then has.
	 * @param judge as of {@link disable}
	 * @throws {AppError} `activation.call-failed`
	 */
	setSwaps(
		node: string,
		coin: string,
		swaps: SwapSettings,
		by: string,
		judge: JudgeCall
	): Promise<SwapSettings>;
}

interface CoinChangesParts {
	port: KdfPort;
	/** The calls of scripts and the console are watched there. */
	nodes: Pick<KdfGateway, 'watch'>;
	audit: AuditTrail;
	holdings: Holdings;
	swaps: SwapSettingsStore;
	store: ActivationStore;
	onError: (error: unknown) => void;
}

export function createCoinChanges({
	port,
	nodes,
	audit,
	holdings,
	swaps,
	store,
	onError
}: CoinChangesParts): CoinChanges {
	async function asking(node: string, made: MadeCall): Promise<() => Promise<void>> {
		const takeBack = await noteRequested(swaps, node, made);
		// The caller gets the node's answer even if this fails.
		return () => takeBack().catch(onError);
	}
	nodes.watch({
		asking,
		async taken(node, taken) {
			try {
				await noteChange({ holdings, swaps, store }, node, taken);
			} catch (error) {
				// The node has executed the call: its answer is returned even if this fails.
				onError(error);
			}
		}
	});

	/** Makes a call for a page that changes what swaps wait for. */
	async function change<M extends KdfMethod>(
		judge: JudgeCall,
		node: string,
		method: M,
		params: KdfParams<M>
	): Promise<KdfResult<M>> {
		const takeBack = await asking(node, { method, params });
		try {
			return await judgedPort(port, judge).call(node, method, params);
		} catch (error) {
			const failure = isAppError(error, 'activation.call-failed') ? error.params.failure : null;
			const isUndone =
				failure === null
					? // The database is asked right before a call is sent.
						databaseErrorKind(error) !== null
					: !mayBeDone(failure) && failure.kind !== 'misfit';
			if (isUndone) await takeBack();
			throw error;
		}
	}

	return {
		async disable(node, coin, force, by, judge) {
			await audit.append({
				actor: by,
				action: 'coin.disabled',
				target: coin,
				detail: { node, force }
			});
			const { result } = await change(judge, node, 'disable_coin', {
				coin,
				...(force ? { force_disable: true } : {})
			});
			holdings.forget(node, coin);
			await swaps.forget(node, coin);
			return { passive: reported(result, 'passivized') ?? null };
		},
		async setSwaps(node, coin, { confirmations, notarization }, by, judge) {
			await audit.append({
				actor: by,
				action: 'coin.settings',
				target: coin,
				detail: { node, confirmations, notarization }
			});
			const params = { coin, confirmations };
			const first = await change(judge, node, 'set_required_confirmations', params);
			const taken = first.result.confirmations;
			await swaps.save(node, coin, { confirmations: taken });
			const second = await change(judge, node, 'set_requires_notarization', {
				coin,
				requires_notarization: notarization
			});
			const waits = second.result.requires_notarization;
			await swaps.save(node, coin, { notarization: waits });
			return { confirmations: taken, notarization: waits };
		}
	};
}
