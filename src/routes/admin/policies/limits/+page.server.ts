import { SPENDING_LIMITS } from '#lib/messages/pages/spendingLimits.ts';
import { LIMIT_KIND_WORDS, titledKind } from '#lib/messages/limitKinds.ts';
import { fail } from '@sveltejs/kit';
import { formatCoins } from '#lib/chain/amount.ts';
import { amountProse } from '#lib/text/amounts.ts';
import { mostText } from '#lib/server/access/policy/limits/changes.ts';
import {
	readFeeCap,
	readLimit,
	type FeeCapFaults,
	type LimitFaults,
	type TypedFeeCap,
	type TypedLimit
} from '#lib/server/access/policy/limits/form.ts';
import { isLimitKind, LIMIT_KINDS } from '#lib/server/access/policy/measuring/kinds.ts';
import { DEFAULT_FEE_CAP } from '#lib/server/access/policy/limits/limits.ts';
import { shownLimit, shownUse } from '#lib/server/access/policy/limits/shown.ts';
import { ANY } from '#lib/server/access/policy/limits/tables.ts';
import type { ChangeOutcome } from '#lib/server/access/changes/change.ts';
import { isAppError } from '#lib/server/platform/errors/appError.ts';
import { readForm, shown, text } from '#lib/server/platform/http/readForm.ts';
import { applied } from '../../../applied.ts';
import { outcomeOf } from '../../../outcomeOf.ts';
import { requireMember } from '../../../requireMember.ts';
import type { Actions, PageServerLoad } from './$types';

const words = SPENDING_LIMITS;

export const load: PageServerLoad = async ({ locals, setHeaders }) => {
	setHeaders({ 'cache-control': 'private, no-store' });
	const { auth, gateway, limits } = locals.app;
	const members = (await auth.members.list()).map(({ id, name }) => ({ value: id, label: name }));
	const names = new Map(members.map(({ value, label }) => [value, label]));
	const whoIs = (account: string): string =>
		account === ANY ? words.everyone : (names.get(account) ?? words.goneAccount);
	const all = await limits.list();
	const order = ({ account, chain, kind }: (typeof all)[number]): string =>
		`${account === ANY ? '1' : `0${whoIs(account)}`} ${chain} ${kind}`;
	return {
		limits: all
			.toSorted((a, b) => order(a).localeCompare(order(b)))
			.map((limit) => ({
				...shownLimit(limit, all),
				seen: mostText(limit.most),
				account: limit.account,
				person:
					limit.account === ANY && all.every(({ account }) => account === ANY)
						? words.everyoneAlone
						: whoIs(limit.account)
			})),
		used: (await limits.used()).map((used) => ({
			...shownUse(used, all),
			person: whoIs(used.account)
		})),
		defaultFee: amountProse(DEFAULT_FEE_CAP),
		feeCaps: (await limits.feeCaps()).map(({ chain, most }) => ({
			chain,
			where: chain === ANY ? words.everyOtherChain : chain,
			most: formatCoins(most)
		})),
		members: [{ value: ANY, label: words.everyone }, ...members],
		chains: [
			{ value: ANY, label: words.allChains },
			...gateway.chains().map((chain) => ({ value: chain, label: chain }))
		],
		kinds: LIMIT_KINDS.map((kind) => ({
			value: kind,
			label: titledKind(LIMIT_KIND_WORDS[kind].many)
		}))
	};
};

/** Result of an action. */
interface Outcome {
	typed?: TypedLimit;
	errors?: LimitFaults;
	typedFee?: TypedFeeCap;
	feeErrors?: FeeCapFaults;
	notice?: string;
	problem?: string;
}

const outcome = outcomeOf<Outcome>();

/** Removes something; reports when it was changed after it was displayed. */
async function removed(remove: () => Promise<ChangeOutcome>, notice: string) {
	try {
		applied(await remove());
	} catch (cause) {
		if (!isAppError(cause, 'change')) throw cause;
		return fail(cause.status, outcome({ problem: cause.message }));
	}
	return outcome({ notice });
}

export const actions: Actions = {
	set: async ({ request, locals }) => {
		const { account: by } = requireMember(locals);
		const { auth, gateway, limits } = locals.app;
		const typed: TypedLimit = await readForm(request, {
			account: text,
			chain: text,
			kind: text,
			count: text,
			amount: text
		});
		const accounts = (await auth.members.list()).map(({ id }) => id);
		const read = readLimit(typed, accounts, gateway.chains());
		if ('errors' in read) {
			return fail(400, outcome({ typed, errors: read.errors }));
		}
		const { count, amount } = read.limit.most;
		if (count === null && amount === null) {
			const errors = { count: words.faults.nothing };
			return fail(400, outcome({ typed, errors }));
		}
		applied(await limits.set(by, read.limit));
		return outcome({ notice: words.set.saved });
	},

	fee: async ({ request, locals }) => {
		const { account: by } = requireMember(locals);
		const { gateway, limits } = locals.app;
		const typedFee: TypedFeeCap = await readForm(request, { feeChain: text, fee: text });
		const read = readFeeCap(typedFee, gateway.chains());
		if ('errors' in read) {
			return fail(400, outcome({ typedFee, feeErrors: read.errors }));
		}
		applied(await limits.setFeeCap(by, read.cap.chain, read.cap.most));
		return outcome({ notice: words.fee.saved });
	},

	removeFee: async ({ request, locals }) => {
		const { account: by } = requireMember(locals);
		const fields = { feeChain: text, 'shown.most': shown };
		const { feeChain, 'shown.most': seen } = await readForm(request, fields);
		return removed(() => locals.app.limits.setFeeCap(by, feeChain, null, seen), words.fee.removed);
	},

	remove: async ({ request, locals }) => {
		const { account: by } = requireMember(locals);
		const fields = { account: text, chain: text, kind: text, 'shown.most': shown };
		const { account, chain, kind, 'shown.most': seen } = await readForm(request, fields);
		if (!isLimitKind(kind)) return fail(400, outcome({ problem: words.list.unknown }));
		const most = { count: null, amount: null };
		return removed(
			() => locals.app.limits.set(by, { account, chain, kind, most }, seen),
			words.list.removed
		);
	}
};
