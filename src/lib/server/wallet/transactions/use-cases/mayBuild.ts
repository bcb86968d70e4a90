import type { Certainty } from '#lib/messages/certainties.ts';
import type { SendAccess } from '../../../access/rights/walletRefusal.ts';
import type { Usage } from '../../../access/policy/measuring/kinds.ts';
import { AppError } from '../../../platform/errors/appError.ts';
import { orNotBuilt } from '../notBuilt.ts';
import { walletOf, type Wallet } from '../wallet.ts';
import type { SendingDependencies } from './dependencies.ts';

/**
 * Refuses a member who may not build or send with a wallet.
 * @param access what the role has to allow
 * @param act what is attempted: a refusal is then recorded
 * @throws {AppError} `work.denied`
 */
export async function refuseForeign(
	deps: SendingDependencies,
	person: string,
	daemon: string,
	access: SendAccess,
	certain: Certainty,
	act?: string
): Promise<void> {
	const { rights } = deps;
	const no = await rights.sendRefusal(person, daemon, access, act);
	if (no !== null) throw new AppError('work.denied', { why: no.coded, certain });
}

/**
 * Refuses what a spending limit does not allow before anything is built, so that a form is not filled in for
 * nothing.
 * @param field the field that shows the error; without it the form as a whole does
 * @throws {AppError} `limit`
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
	throw field === undefined ? no : AppError.of(no.coded, { field });
}

/**
 * Returns the wallet with which this member builds on a chain.
 * @param id the daemon whose wallet it has to be; without it, one that the member may use
 */
export async function walletFor(
	deps: SendingDependencies,
	chain: string,
	person: string,
	act?: string,
	id?: string
): Promise<Wallet> {
	const { rights } = deps;
	const mine = await rights.gatewayOf(person);
	const daemon = id === undefined ? mine.daemonFor(chain, 'wallet') : mine.daemon(id);
	if (daemon) await refuseForeign(deps, person, daemon.id, 'broadcast', 'not-sent', act);
	if (id === undefined) return orNotBuilt(() => walletOf(mine, chain));
	if (!daemon?.purposes.includes('wallet')) {
		throw new AppError('wallet-daemon.none', { chain, certain: null });
	}
	return orNotBuilt(() => walletOf(mine, chain, { daemon: id }));
}
