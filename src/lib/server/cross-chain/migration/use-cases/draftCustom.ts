import { valueOf } from '#lib/chain/amount.ts';
import { classify } from '#lib/chain/script.ts';
import { daemonClientOf } from '../../../chains/daemon/daemonClient.ts';
import { buildFailure } from '../buildBurn.ts';
import { refusal, type Check } from '../check.ts';
import { readCustom, type CustomInput } from '../customRequest.ts';
import type { Composed } from '../request.ts';
import { composeFrom } from './composeBurn.ts';
import type { MigrationDependencies } from './dependencies.ts';
import { draftRequest, type DraftResult } from './draft.ts';
import { foreignWallet } from './guards.ts';

/** Drafts a burn of selected UTXOs, or of a pasted transaction. */
export async function draftCustom(
	deps: MigrationDependencies,
	input: CustomInput,
	actor: string
): Promise<DraftResult> {
	const { gateway, rights } = deps;
	const read = readCustom(input);
	if ('errors' in read) return { kind: 'invalid', errors: read.errors };
	const { source, destination, policy, inputs, payouts, raw } = read.request;
	const refused = (check: Check): DraftResult => ({ kind: 'refused', checks: [check] });
	if (source === destination) {
		return refused({
			...refusal({ code: 'chains.same', params: {} }, 'chains'),
			field: 'destination'
		});
	}
	const daemon = (await rights.gatewayOf(actor)).daemonFor(source, 'wallet');
	if (!daemon) {
		return refused({
			...refusal({ code: 'chains.no-wallet', params: { chain: source } }, 'chains'),
			field: 'source'
		});
	}
	const foreign = await foreignWallet(deps, actor, daemon.id, 'migration drafted');
	if (foreign) return refused(foreign);
	const amount = valueOf(payouts);
	const address = classify(payouts[0]?.script ?? new Uint8Array()).address ?? '';
	let composed: Composed;
	try {
		composed =
			raw === null
				? await composeFrom(deps, source, daemonClientOf(gateway, daemon.id), inputs, payouts)
				: { hex: raw, pasted: true, added: 0 };
	} catch (error) {
		return refused(refusal(buildFailure(error)));
	}
	return draftRequest(
		deps,
		{
			source,
			destination,
			policy,
			address,
			amount,
			tokenid: null,
			composed,
			...(input.approvals ? { approvals: true } : {})
		},
		actor
	);
}
