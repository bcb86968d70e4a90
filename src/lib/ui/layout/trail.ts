/**
 * The breadcrumb trail of a page, from the first level of pages down to it. It is derived from the route, so
 * every page has one, and on the server, so that pages do not load the trails of all pages to show one.
 */
import { PAGE_NAMES } from '#lib/messages/navigation.ts';
import { visibleText } from '#lib/text/visibleText.ts';
import { TRAIL } from '#lib/messages/trail.ts';

/** One page of the trail; the last one is the page itself. */
export interface Crumb {
	label: string;
	href: string;
	/** Route parameter that the label shows the value of; the page may know a display name for it. */
	of?: string;
}

/** Label of a route, and the route above it; null at the top level. */
interface Step {
	up: string | null;
	label: string;
}

const CHAIN = '/chains/[chain]';
const TOKEN = `${CHAIN}/token/[tokenid]`;
const first = (label: string): Step => ({ up: null, label });
const below = (up: string, label: string): Step => ({ up, label });

/** Labels in brackets are replaced by the parameter of that name. */
const STEPS: Readonly<Record<string, Step>> = {
	'/account': first(TRAIL.account),
	'/account/access': below('/account', TRAIL.access),
	'/account/factors': below('/account', TRAIL.factors),
	'/account/events': below('/account', TRAIL.activity),
	'/account/notifications': below('/notifications', TRAIL.notificationSettings),
	'/notifications': first(TRAIL.notifications),
	'/admin/notifications': first(PAGE_NAMES.adminNotifications),
	'/address-book': first(PAGE_NAMES.addressBook),
	'/address-book/[id]': below('/address-book', TRAIL.entry),
	'/approvals': first(PAGE_NAMES.approvals),
	'/approvals/[id]': below('/approvals', TRAIL.approval),
	'/approvals/changes/[id]': below('/approvals', TRAIL.change),
	'/admin/policies': first(PAGE_NAMES.policies),
	'/admin/policies/[id]': below('/admin/policies', TRAIL.rule),
	'/admin/policies/limits': below('/admin/policies', TRAIL.spendingLimits),
	'/admin/members': first(PAGE_NAMES.members),
	'/admin/members/[id]': below('/admin/members', TRAIL.member),
	'/admin/connect-daemons': below('/daemons', TRAIL.connectDaemons),
	[CHAIN]: first('[chain]'),
	[`${CHAIN}/address/[address]`]: below(`${CHAIN}/addresses`, TRAIL.address),
	[`${CHAIN}/addresses`]: below(CHAIN, TRAIL.addresses),
	[`${CHAIN}/block/[id]`]: below(`${CHAIN}/blocks`, TRAIL.block),
	[`${CHAIN}/blocks`]: below(CHAIN, TRAIL.blocks),
	[`${CHAIN}/burns`]: below(`${CHAIN}/transfers`, TRAIL.burns),
	[`${CHAIN}/imports`]: below(`${CHAIN}/transfers`, TRAIL.imports),
	[`${CHAIN}/indexing`]: below(CHAIN, TRAIL.indexing),
	[`${CHAIN}/mempool`]: below(CHAIN, TRAIL.mempool),
	[`${CHAIN}/mom`]: below(CHAIN, TRAIL.mom),
	[`${CHAIN}/momom`]: below(CHAIN, TRAIL.momom),
	[`${CHAIN}/notarizations`]: below(CHAIN, TRAIL.notarizations),
	[`${CHAIN}/notarizations/[txid]`]: below(`${CHAIN}/notarizations`, TRAIL.notarization),
	[`${CHAIN}/proof`]: below(CHAIN, TRAIL.proofs),
	[`${CHAIN}/proof/[txid]`]: below(`${CHAIN}/proof`, TRAIL.proof),
	[`${CHAIN}/self-import`]: below(CHAIN, TRAIL.selfImports),
	[`${CHAIN}/self-import/[id]`]: below(`${CHAIN}/self-import`, TRAIL.selfImport),
	[TOKEN]: below(`${CHAIN}/tokens`, '[tokenid]'),
	[`${TOKEN}/batch-transfer`]: below(TOKEN, TRAIL.batchTransfers),
	[`${TOKEN}/batch-transfer/[id]`]: below(`${TOKEN}/batch-transfer`, TRAIL.batchTransfer),
	[`${TOKEN}/burn`]: below(TOKEN, TRAIL.burnToken),
	[`${TOKEN}/decimals`]: below(TOKEN, TRAIL.decimals),
	[`${TOKEN}/transfer`]: below(TOKEN, TRAIL.transferToken),
	[`${CHAIN}/tokens`]: below(CHAIN, TRAIL.tokens),
	[`${CHAIN}/tokens/new`]: below(`${CHAIN}/tokens`, TRAIL.newToken),
	[`${CHAIN}/transactions`]: below(CHAIN, TRAIL.transactions),
	[`${CHAIN}/transfers`]: below(CHAIN, TRAIL.transfers),
	[`${CHAIN}/tx/[txid]`]: below(`${CHAIN}/transactions`, TRAIL.transaction),
	'/console': first(PAGE_NAMES.console),
	'/console/[method]': below('/console', '[method]'),
	'/console/further/[method]': below('/console', '[method]'),
	'/console/kdf/[method]': below('/console', '[method]'),
	'/daemons': first(PAGE_NAMES.daemons),
	'/daemons/[id]': below('/daemons', '[id]'),
	'/help': first(PAGE_NAMES.help),
	'/help/[topic]': below('/help', '[topic]'),
	'/help/errors': below('/help', PAGE_NAMES.errorCodes),
	'/help/glossary': below('/help', PAGE_NAMES.glossary),
	'/kdf': first(TRAIL.tradingNode),
	'/kdf/[coin]': below('/kdf', '[coin]'),
	'/kdf/servers': below('/kdf', TRAIL.servers),
	'/kdf/sign': below('/kdf', TRAIL.sign),
	'/kdf/signers': below('/kdf', TRAIL.signers),
	'/kdf/tasks/[id]': below('/kdf', TRAIL.task),
	'/kdf/verify': below('/kdf', TRAIL.verify),
	'/login': first(TRAIL.login),
	'/login/factor': below('/login', TRAIL.factors),
	'/migrations': first(PAGE_NAMES.migrations),
	'/migrations/[id]': below('/migrations', TRAIL.migration),
	'/migrations/new': below('/migrations', TRAIL.newMigration),
	'/migrations/new/custom': below('/migrations', TRAIL.customMigration),
	'/migrations/new/token': below('/migrations', TRAIL.tokenMigration),
	'/migrations/recover': below('/migrations', TRAIL.recover),
	'/notary-approvals': first(PAGE_NAMES.notaryApprovals),
	'/notary-approvals/[txid]': below('/notary-approvals', TRAIL.burn),
	'/notary-approvals/[txid]/approve': below('/notary-approvals/[txid]', TRAIL.approve),
	'/notary-approvals/queue': below('/notary-approvals', TRAIL.approvalQueues),
	'/notary-approvals/queue/[id]': below('/notary-approvals/queue', TRAIL.approvalQueue),
	'/wallets': first(PAGE_NAMES.wallets),
	'/wallets/[id]': below('/wallets', '[id]'),
	'/wallets/[id]/consolidate': below('/wallets/[id]', TRAIL.consolidate),
	'/wallets/[id]/history': below('/wallets/[id]', TRAIL.walletHistory),
	'/wallets/[id]/send': below('/wallets/[id]', TRAIL.sendCoins),
	'/wallets/[id]/split': below('/wallets/[id]', TRAIL.splitUtxos),
	'/transactions': first(PAGE_NAMES.transactions),
	'/transactions/[id]': below('/transactions', TRAIL.transaction)
};

type Params = Readonly<Partial<Record<string, string>>>;

/** Display names of parameters. */
export type CrumbNames = Readonly<Record<string, string>>;

/** Display names of parameters whose own name is unknown. */
const UNNAMED: CrumbNames = { tokenid: TRAIL.token };

/**
 * Returns the breadcrumb name of a token. @param name as its creator wrote it; undefined when it cannot be
 * read
 */
export const tokenCrumb = (name: string | null | undefined): CrumbNames =>
	(name ?? '').trim() === '' ? {} : { tokenid: visibleText(name ?? '') };

/**
 * Returns the trail of a page, outermost first, the page itself last; empty for a page of the first level.
 * @param route as SvelteKit names it, such as `/chains/[chain]/blocks`; null where there is no page
 */
export function trailOf(route: string | null, params: Params): Crumb[] {
	const trail: Crumb[] = [];
	for (let at = route; at !== null;) {
		const step = STEPS[at];
		if (step === undefined) return [];
		const of = /^\[(\w+)\]$/.exec(step.label)?.[1];
		const href = at.replace(/\[(\w+)\]/g, (_, name: string) =>
			encodeURIComponent(params[name] ?? '')
		);
		trail.unshift(
			of === undefined
				? { label: step.label, href }
				: { label: UNNAMED[of] ?? params[of] ?? '', href, of }
		);
		at = step.up;
	}
	return trail.length < 2 ? [] : trail;
}
