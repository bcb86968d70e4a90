import type { Usage } from '../../../access/policy/limits/kinds.ts';
import { SendingError } from '../errors.ts';
import { NOT_SENT, orNotBuilt } from '../notBuilt.ts';
import { walletOf, type Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';

/**
 * @param act what is about to be done; without it somebody only asks
 * @throws {SendingError} `not-yours`
 */
export async function refuseForeign(
	deps: SendingDependencies,
	person: string,
	daemon: string,
	standing: string,
	act?: string
): Promise<void> {
	const { rights } = deps;
	const no = await rights.walletRefusal(person, daemon, act);
	if (no !== null) throw new SendingError('not-yours', `${no.message} ${standing}`);
}

/**
 * Before anything is built, so that nobody fills in a form for what a limit refuses at the last step.
 * @param field where the form says so; without it the form as a whole does
 * @throws {SendingError} `bad-field` or `limit`
 */
export async function refuseOverLimit(
	deps: SendingDependencies,
	person: string,
	chain: string,
	usages: readonly Usage[],
	field?: string
): Promise<void> {
	const { rights } = deps;
	const no = await rights.limitRefusal(person, chain, usages, usages[0]?.kind);
	if (no === null) return;
	throw field === undefined
		? new SendingError('limit', no.message)
		: new SendingError('bad-field', no.message, { field });
}

/** The wallet with which this person builds on a chain. */
export async function walletFor(
	deps: SendingDependencies,
	chain: string,
	person: string,
	act?: string
): Promise<Wallet> {
	const { rights } = deps;
	const mine = await rights.gatewayOf(person);
	const daemon = mine.daemonFor(chain, 'wallet');
	if (daemon) await refuseForeign(deps, person, daemon.id, NOT_SENT, act);
	return orNotBuilt(() => walletOf(mine, chain));
}
