/**
 * Policies that allow everything, for tests of the code behind them. Each test names them, which shows that it
 * does not test rights.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { TokenSpending } from '#lib/server/access/api-tokens/spending.ts';
import type { Approvals } from '#lib/server/access/approvals/approvals.ts';
import type { Refusals } from '#lib/server/access/audit/refusals.ts';
import { createCallPolicy, type PolicyParts } from '#lib/server/access/calls/authorizeCall.ts';
import { createCallBudget } from '#lib/server/access/calls/budget.ts';
import { createReleaseAnswer } from '#lib/server/access/calls/releaseAnswer.ts';
import type { Account, Member, TokenLimits } from '#lib/server/access/identity/identity.ts';
import type { Rights } from '#lib/server/access/rights/rights.ts';
import type { MeasuredSpend } from '#lib/server/access/rights/spend.ts';
import type { FactorSettings } from '#lib/server/access/security-settings/lacksFactor.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { JudgeCall } from '#lib/server/kdf/calls/kdfPort.ts';
import type { KdfGateway } from '#lib/server/kdf/client/kdfTypes.ts';
import type { OnceCall } from '#lib/server/rpc-proxy/http/onceCalls.ts';
import { openOwnBudget } from '#lib/server/platform/rate-limits/budgets.ts';

const nothingTaken = (person: string, chain: string, ref: string): MeasuredSpend => ({
	account: person,
	person,
	role: 'operator',
	token: null,
	wallet: chain,
	chain,
	ref,
	usages: [],
	recipients: [],
	movements: [],
	doubt: null,
	bytes: null
});

/** No approval is required. */
export const noApprovals: Pick<Approvals, 'lastOf' | 'isMet' | 'isLacking' | 'voidOf' | 'voidOne'> =
	{
		lastOf: () => Promise.resolve(null),
		isMet: () => Promise.resolve(false),
		isLacking: () => Promise.resolve(false),
		voidOf: () => Promise.resolve(),
		voidOne: () => Promise.resolve()
	};

/** Every member may use every wallet and end all work, and nothing is counted. */
export const permissiveRights = (gateway: Gateway): Rights => ({
	walletRefusal: () => Promise.resolve(null),
	sendRefusal: () => Promise.resolve(null),
	foreseen: () => Promise.resolve(null),
	activationRefusal: () => Promise.resolve(null),
	foreseenTransfers: () => Promise.resolve([]),
	endRefusal: () => Promise.resolve(null),
	gatewayOf: () => Promise.resolve(gateway),
	measureSpend: (person, daemon, hex) =>
		Promise.resolve(nothingTaken(person, daemon, createHash('sha256').update(hex).digest('hex'))),
	recordSpend: (spend) => Promise.resolve({ ...spend, account: spend.person }),
	giveBack: () => Promise.resolve(),
	giveBackActivation: () => Promise.resolve(),
	withRequest: (error) => Promise.resolve(error),
	asCall: (_person, _place, _kind, spend) => Promise.resolve(spend),
	limitRefusal: () => Promise.resolve(null),
	spendRefused: () => Promise.resolve(),
	isLimited: () => Promise.resolve(false),
	measureSignature: (person, _node, coin) =>
		Promise.resolve(nothingTaken(person, coin, randomUUID())),
	measureCall: () => Promise.resolve(null)
});

/** Tokens without spending limits. */
const unlimitedSpending: TokenSpending = {
	recordSpend: (_identity, _spend, count) => count(),
	giveBack: (_identity, _spend, giveBack) => giveBack(),
	refuseUnmeasured: () => undefined
};

/** A token with all rights of its member's role. */
export const unlimitedToken = (id: string, name = id): TokenLimits => ({
	id,
	name,
	methods: null,
	daemons: null,
	wallets: null,
	amounts: null,
	recipients: null,
	countedAs: id
});

/** A member with a token that has all rights of the role. */
export const byToken = (account: Account): Extract<Member, { via: 'token' }> => ({
	via: 'token',
	account,
	role: account.role,
	token: unlimitedToken(account.id, account.name)
});

/** Every call of a page to a trading node may be sent. */
export const UNJUDGED: JudgeCall = () => ({ beforeSend: () => Promise.resolve() });

/** No safety control is on. */
export const neverSwitchedOff = (): Promise<null> => Promise.resolve(null);

/** Refusals are not recorded. */
export const unrecorded: Pick<Refusals, 'refused' | 'anonymous'> = {
	refused: () => Promise.resolve(),
	anonymous: () => undefined
};

/** An installation without trading nodes. */
const noNodes: Pick<KdfGateway, 'has' | 'proxy' | 'holdsPassword'> = {
	has: () => false,
	proxy: () => Promise.reject(new Error('There is no trading node.')),
	holdsPassword: () => false
};

/** Runs every request, whatever its idempotency key. */
const nothingOnce: OnceCall = async (_request, work) => ({
	kind: 'answer',
	answer: await work({ mayBeDone: false })
});

/** The call policy for members and scripts: everything passes, except for the parts that a test replaces. */
export function permissiveCalls(
	gateway: Gateway,
	given: Partial<PolicyParts> & { rights?: Rights; refusals?: Pick<Refusals, 'refused'> } = {}
) {
	const rights = given.rights ?? permissiveRights(gateway);
	const refusals = given.refusals ?? unrecorded;
	const audit = given.audit ?? { append: () => Promise.resolve() };
	const policy = createCallPolicy({
		refusal: neverSwitchedOff,
		listed: () => Promise.resolve(false),
		workOf: () => Promise.resolve(null),
		tokenSpending: unlimitedSpending,
		late: { run: (work) => work(), append: (entry) => audit.append(entry) },
		...given,
		rights,
		refusals,
		audit
	});
	return {
		gateway,
		nodes: noNodes,
		audit,
		policy,
		releaseAnswer: createReleaseAnswer({
			gateway,
			policy,
			rights,
			tokenSpending: given.tokenSpending ?? unlimitedSpending,
			refusals
		}),
		refusals: unrecorded,
		onceCall: nothingOnce,
		budget: createCallBudget(openOwnBudget)
	};
}

/** No second factor is required. */
export const factorsOptional = {
	'factor-viewer': 'optional',
	'factor-operator': 'optional',
	'factor-notary': 'optional',
	'factor-admin': 'optional',
	'factor-tokens': 'refused'
} as const satisfies FactorSettings;
