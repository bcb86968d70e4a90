import { classify } from '#lib/chain/classified.ts';
import { dustLimitOf } from '#lib/chain/dust.ts';
import type { ScriptType } from '#lib/chain/script.ts';
import { refusalCode } from '../../../chains/daemon/refusalCode.ts';
import { buildBurn, buildFailure, type BuiltBurn } from '../buildBurn.ts';
import { refusal, type Check } from '../check.ts';
import type { Route } from '../preflight.ts';
import type { MigrationRequest } from '../request.ts';
import type { StepId } from '../steps.ts';
import type { StepPatch } from '../patch.ts';
import type { MigrationRecord } from '../migrationRecord.ts';
import { sizeOf } from '../tokenFacts.ts';
import { balanceShort } from '../tokenChecks.ts';
import { sizeVerdict } from '../tokenSize.ts';
import { readBuilt } from '../../../wallet/transactions/verifyTransaction.ts';
import type { MigrationDependencies } from './dependencies.ts';

/** Scripts of change. */
const KEY_SCRIPTS: ReadonlySet<ScriptType> = new Set<ScriptType>(['pubkey', 'pubkeyhash']);

/**
 * Returns the failed check for a token that the wallet holds in UTXOs too small for one burn, with a link to the
 * form that joins them, or of which it holds too little since the checks; null for any other error.
 * @throws {AppError} `daemon`
 */
async function lacksUnits(
	{ gateway }: MigrationDependencies,
	error: unknown,
	request: MigrationRequest,
	{ sourceDaemon, pubkey }: Route
): Promise<Check | null> {
	const { source, tokenid, amount } = request;
	if (tokenid === null || refusalCode(error) !== 'migration.token-inputs') return null;
	// The daemon says the same of too few units, which another transaction may have taken meanwhile.
	const { balance } = await gateway.call(sourceDaemon.id, 'tokenbalance', [tokenid]);
	if (balance < amount) {
		return { ...refusal(balanceShort(request, balance), 'token-balance'), field: 'amount' };
	}
	const message = { code: 'token.scattered', params: { amount: amount.toString() } } as const;
	const form = `/chains/${encodeURIComponent(source)}/token/${tokenid}/transfer`;
	const remedy = { code: 'join-token', href: `${form}?recipient=${pubkey}` } as const;
	return { ...refusal(message, 'token-utxos'), field: 'amount', remedy };
}

/**
 * Returns the failed check for change that the daemon does not relay; null when there is none. This builder adds change
 * however little it is, unlike the others of the daemon, which leave less than 20000 satoshi to the fee.
 */
function dustChange(
	{ hex, custom }: BuiltBurn,
	{ source: chain, tokenid }: MigrationRequest,
	{ relayFee }: Route
): Check | null {
	// The outputs of a burn from selected UTXOs were checked before.
	if (relayFee === null || custom !== null) return null;
	for (const { value, script } of readBuilt(hex).vout) {
		const least = dustLimitOf(script.length, relayFee);
		if (!KEY_SCRIPTS.has(classify(script).type) || value >= least) continue;
		const params = { chain, change: value.toString(), least: least.toString() };
		if (tokenid === null) {
			return { ...refusal({ code: 'change.dust', params }, 'change'), field: 'amount' };
		}
		const href = `/chains/${encodeURIComponent(chain)}/consolidate`;
		const remedy = { code: 'consolidate', href } as const;
		return { ...refusal({ code: 'change.token-dust', params }, 'change'), remedy };
	}
	return null;
}

/** Builds the burn of a valid request, or returns a failed check when it cannot be built or imported. */
export async function buildFor(
	deps: MigrationDependencies,
	request: MigrationRequest,
	route: Route
): Promise<BuiltBurn | Check> {
	const { gateway } = deps;
	let built: BuiltBurn;
	try {
		built = await buildBurn(gateway, request, route);
	} catch (error) {
		try {
			return (await lacksUnits(deps, error, request, route)) ?? refusal(buildFailure(error));
		} catch (unanswered) {
			return refusal(buildFailure(unanswered));
		}
	}
	const { dataCarrierSize } = route.destinationDaemon;
	const size = sizeOf(built.hex);
	const verdict = size && sizeVerdict(size, request.destination, dataCarrierSize);
	if (verdict?.result === 'fail') return refusal(verdict.message, 'token-size');
	if (dataCarrierSize !== null && built.review.size + 200 > dataCarrierSize) {
		return refusal(
			{
				code: 'relay.burn-too-large',
				params: { chain: request.destination, limit: dataCarrierSize }
			},
			'datacarriersize'
		);
	}
	return dustChange(built, request, route) ?? built;
}

/** Returns the steps of a built burn, each with its bytes. */
export function stepsOfBurn(
	built: BuiltBurn,
	{ composed }: MigrationRequest,
	before: MigrationRecord['steps'] | null
): StepPatch[] {
	const change = <Id extends StepId>(step: Id, to: string) => ({
		step,
		hex: { from: before?.get(step)?.hex ?? null, to }
	});
	const { custom } = built;
	const made: StepPatch[] = custom
		? [
				{
					...change('compose', custom.composed),
					evidence: { pasted: composed?.pasted ?? false, added: composed?.added ?? 0 },
					done: true
				},
				{ ...change('convert', custom.exported), done: true },
				{ ...change('fund', custom.funded), done: true }
			]
		: [];
	return [...made, { ...change('burn', built.hex), txid: built.review.txid }];
}
