/** Whether a wallet, and open work that uses it, is a person's to use. */
import type { CodesOf } from '#lib/messages/errors/index.ts';
import { AppError, isAppError } from '../../../../platform/errors/appError.ts';
import { nameKeyOf } from '../../../accounts/names.ts';
import { mayAccess, type Access } from '../../permissions.ts';
import type { EndableKind } from '../../wallets/tables.ts';
import type { RightsDependencies } from './dependencies.ts';
import { gatewayOf } from './gatewayOf.ts';
import { asCall } from './measureCall.ts';
import { refusalOf } from './recordSpend.ts';
import { denialOf, type RuleDenied } from './refused.ts';

type WalletDenied = AppError<CodesOf<'wallet'>>;

/** Open work, as far as it is asked who may end it. */
interface OpenWork {
	kind: EndableKind;
	id: string;
	/** Name of the account that began it, or has confirmed it since. */
	by: string;
	/** The daemon or trading node whose wallet it uses; null: any wallet of the chain. */
	daemon: string | null;
	chain?: string;
}

/** Puts a refusal on record that stopped an act; a page that only asks leaves none. */
async function told<No extends WalletDenied | RuleDenied>(
	{ refusals }: RightsDependencies,
	person: string,
	place: string,
	no: No | null,
	what: string | undefined
): Promise<No | null> {
	if (no !== null && what !== undefined) {
		const reason = isAppError(no, 'policy')
			? denialOf(no)
			: ({ code: 'wallet', why: (no as WalletDenied).coded } as const);
		await refusals.refused(person, { where: 'call', why: reason.code, what, place, reason });
	}
	return no;
}

/**
 * Why this person must not use the wallet of this daemon; null when they may.
 * @param act what they are about to do with it: a refusal then goes on record
 */
export async function walletRefusal(
	deps: RightsDependencies,
	person: string,
	daemon: string,
	act?: string
): Promise<WalletDenied | null> {
	return told(deps, person, daemon, await deps.wallets.refusal(person, daemon), act);
}

/**
 * Why nothing may be built or go out from the wallet of a daemon for this person, by account, wallet and role; null when
 * it may. What goes by itself and had to wait passes no route that asks for the role.
 * @param act what was to be done: a refusal goes on record
 */
export async function sendRefusal(
	deps: RightsDependencies,
	person: string,
	daemon: string,
	act?: string
): Promise<WalletDenied | null> {
	const foreign = await walletRefusal(deps, person, daemon, act);
	if (foreign !== null) return foreign;
	const role = (await deps.wallets.userOf(person))?.role ?? 'viewer';
	if (mayAccess(role, 'broadcast', false)) return null;
	return told(deps, person, daemon, new AppError('wallet.role-gone', { person }), act);
}

/** What the rules say by now against an activation that they let pass when it was begun; null for nothing. */
async function ruleRefusal(
	deps: RightsDependencies,
	person: string,
	account: string,
	node: string,
	ref: string
): Promise<RuleDenied | null> {
	const spend = await asCall(deps, person, node, 'activation', null, ref);
	if (spend === null) return null;
	const verdict = await deps.policies.look({ ...spend, account });
	// Nobody can approve what brings no bytes.
	return verdict.code === 'approve'
		? new AppError('policy.not-approvable', { rule: verdict.rule.place })
		: refusalOf(verdict);
}

/**
 * Why a trading node must not be asked to activate something for this person, by account, role and the rules of the
 * policies; null when it may. Like a send, what waited passes no route that asks for the role, and rules may have been
 * made since. Wallets of trading nodes are given to nobody singly.
 * @param needs what the call asks of a member
 * @param act what was to be done: a refusal goes on record
 * @param ref what it was counted as when it was begun
 */
export async function activationRefusal(
	deps: RightsDependencies,
	person: string,
	node: string,
	needs: Access,
	act: string,
	ref: string
): Promise<WalletDenied | RuleDenied | null> {
	const user = await deps.wallets.userOf(person);
	const isClosed = user === null || user.disabled;
	if (!isClosed && mayAccess(user.role, needs, false)) {
		return told(deps, person, node, await ruleRefusal(deps, person, user.id, node, ref), act);
	}
	const no = isClosed
		? new AppError('wallet.account-closed')
		: new AppError('wallet.activation-role-gone', { person });
	return told(deps, person, node, no, act);
}

/**
 * Why this person must not end, stop or take over open work; null when they may. Who has it
 * in hand always may; everybody else needs the wallet that it uses, as for finishing it.
 * @param act what they are about to do with it: a refusal then goes on record
 */
export async function endRefusal(
	deps: RightsDependencies,
	person: string,
	{ kind, id, by, daemon, chain }: OpenWork,
	act?: string
): Promise<WalletDenied | null> {
	const holder = (await deps.wallets.holderOf(kind, id)) ?? by;
	if (nameKeyOf(holder) === nameKeyOf(person)) return null;
	const wallet =
		daemon ?? (await gatewayOf(deps, person)).daemonFor(chain ?? '', 'wallet')?.id ?? chain ?? '';
	const no = await deps.wallets.refusal(person, wallet);
	if (no === null) return null;
	const held =
		kind === 'activation'
			? new AppError('wallet.activation-of-another', { holder })
			: new AppError('wallet.work-of-another', {
					holder,
					daemon: wallet,
					why: no.code === 'wallet.account-closed' ? 'account-closed' : 'not-granted'
				});
	return told(deps, person, wallet, held, act);
}
