/**
 * Resolves the targets of audit events to names, such as members, transactions, migrations and tokens, with the
 * page that shows each. An event stores an id; if its object was removed since, the text in the event is shown.
 */
import { auditSubjectWords, type AuditSubject } from '#lib/messages/audit/subjects.ts';
import { isLimitKind } from '#lib/messages/limitKinds.ts';
import { amountProse } from '#lib/text/amounts.ts';
import type { AuditEvent } from '../../access/audit/events.ts';
import { isSetting } from '../../access/security-settings/settings.ts';
import type { Index } from '../../chains/indexer/open.ts';
import type { Database } from '../../platform/database/database.ts';
import { tokenOf, type SendRequest } from '../../wallet/transactions/request.ts';
import { readRequest } from '../../wallet/transactions/store.ts';
import type { CrossChainTables } from '../tables.ts';
import { readTokens, tokenKey, type TokenFacts } from './tokens.ts';

/** The target of an event, for display. */
interface AuditTarget {
	text: string;
	/** Null when no page shows it. */
	href: string | null;
}

type Found = Readonly<{ subject: AuditSubject; href: string | null }>;

const unitsOf = (units: bigint, token: TokenFacts | undefined): string =>
	amountProse(units, token?.decimals ?? 0);

const chainPath = (chain: string): string => `/chains/${encodeURIComponent(chain)}`;

/** Returns the distinct target ids of events whose action is in one of these families. */
const idsOf = (events: readonly AuditEvent[], families: readonly string[]): string[] => [
	...new Set(
		events
			.filter(({ action }) => families.includes(action.split('.', 1)[0] ?? ''))
			.flatMap(({ target }) => (target === null ? [] : [target]))
	)
];

type Db = Database<CrossChainTables>;
type FoundById = ReadonlyMap<string, Found>;

const NONE: FoundById = new Map();

async function migrations(db: Db, index: Index, ids: string[]): Promise<FoundById> {
	if (ids.length === 0) return NONE;
	const rows = await db
		.selectFrom('migrations')
		.select(['id', 'source', 'destination', 'amount', 'tokenid', 'token_name'])
		.where('id', 'in', ids)
		.execute();
	const tokens = await readTokens(
		db,
		index,
		rows.map(({ source: chain, tokenid }) => ({ chain, tokenid }))
	);
	return new Map(
		rows.map(({ id, source, destination, amount, tokenid, token_name: name }): [string, Found] => {
			const token = tokens.get(tokenKey(source, tokenid ?? ''));
			return [
				id,
				{
					subject: {
						code: 'migration',
						amount: tokenid === null ? amountProse(amount) : unitsOf(amount, token),
						unit: tokenid === null ? source : (token?.name ?? name ?? ''),
						source,
						destination
					},
					href: `/migrations/${id}`
				}
			];
		})
	);
}

/** @param ids ids or txids, because events of sent transactions contain the txid */
async function transactions(db: Db, index: Index, ids: string[]): Promise<FoundById> {
	if (ids.length === 0) return NONE;
	const rows = await db
		.selectFrom('transactions')
		.select(['id', 'txid', 'kind', 'chain', 'request', 'follows'])
		.where((where) => where.or([where('id', 'in', ids), where('txid', 'in', ids)]))
		.execute();
	const read = rows.map((row) => ({ ...row, request: readRequest(row.request) }));
	const tokens = await readTokens(
		db,
		index,
		read.map(({ chain, request }) => ({ chain, tokenid: tokenOf(request) }))
	);
	const found = new Map<string, Found>();
	for (const { id, txid, kind, chain, request, follows } of read) {
		const token = tokens.get(tokenKey(chain, tokenOf(request) ?? ''));
		const isSelfImport = kind === 'self-import-source' || kind === 'self-import';
		const one: Found = {
			subject: { code: 'transaction', kind, ...amountOf(request, chain, token), chain },
			href: isSelfImport
				? `${chainPath(chain)}/self-import/${follows ?? id}`
				: `/transactions/${id}`
		};
		found.set(id, one);
		found.set(txid, one);
	}
	return found;
}

function amountOf(
	request: SendRequest,
	chain: string,
	token: TokenFacts | undefined
): { amount: string | null; unit: string } {
	switch (request.kind) {
		case 'token-create':
			return {
				amount: amountProse(request.supply, request.decimals ?? 0),
				unit: request.name
			};
		case 'token-transfer':
		case 'token-burn':
			return { amount: unitsOf(request.units, token), unit: token?.name ?? '' };
		case 'notary-approval':
			return { amount: null, unit: '' };
		case 'claim':
		case 'merge':
			return { amount: amountProse(request.total), unit: chain };
		default:
			return { amount: amountProse(request.amount), unit: chain };
	}
}

async function batchTransfers(db: Db, index: Index, ids: string[]): Promise<FoundById> {
	if (ids.length === 0) return NONE;
	const rows = await db
		.selectFrom('batch_transfers')
		.select(['id', 'chain', 'tokenid'])
		.where('id', 'in', ids)
		.execute();
	const tokens = await readTokens(db, index, rows);
	return new Map(
		rows.map(({ id, chain, tokenid }): [string, Found] => [
			id,
			{
				subject: {
					code: 'batch-transfer',
					token: tokens.get(tokenKey(chain, tokenid))?.name ?? '',
					chain
				},
				href: `${chainPath(chain)}/token/${tokenid}/batch-transfer/${id}`
			}
		])
	);
}

async function apiTokens(db: Db, ids: string[]): Promise<FoundById> {
	if (ids.length === 0) return NONE;
	const rows = await db
		.selectFrom('api_tokens')
		.innerJoin('accounts', 'accounts.id', 'api_tokens.account_id')
		.select(['api_tokens.id', 'api_tokens.name', 'accounts.id as account', 'accounts.name as of'])
		.where('api_tokens.id', 'in', ids)
		.execute();
	return new Map(
		rows.map(({ id, name, account, of }): [string, Found] => [
			id,
			{ subject: { code: 'api-token', name, of }, href: `/admin/members/${account}` }
		])
	);
}

async function invitations(db: Db, ids: string[]): Promise<FoundById> {
	if (ids.length === 0) return NONE;
	const rows = await db
		.selectFrom('account_links')
		.select(['id', 'name', 'role'])
		.where('id', 'in', ids)
		.where('kind', '=', 'invitation')
		.execute();
	return new Map(
		rows.map(({ id, name, role }): [string, Found] => [
			id,
			{
				subject: { code: 'invitation', name, role: role ?? '' },
				href: '/admin/members#invite'
			}
		])
	);
}

/** Returns the pages of members, by the names in events. */
async function members(db: Db, names: string[]): Promise<ReadonlyMap<string, string>> {
	if (names.length === 0) return new Map();
	const rows = await db
		.selectFrom('accounts')
		.select(['id', 'name'])
		.where('name', 'in', names)
		.execute();
	return new Map(rows.map(({ id, name }) => [name, `/admin/members/${id}`]));
}

/** Shape of an RPC method name; the other targets consist of several words. */
const METHOD = /^[\w:]+$/;
/** The target of many refused requests in the events of early releases. */
const EARLY_MANY = 'many different acts';
/** The page where limits are set. */
const LIMITS = '/admin/policies/limits';
const SAFETY = ['freeze', 'read-only'] as const;

/** Whether the target is a token on the chain `place`. */
const isTokenOf = ({ action, target, place }: AuditEvent): boolean =>
	action === 'token.decimals' && target !== null && place !== null;

/** Resolves a target from the event alone, without a query. */
function told({ action, target, targetCode, place, detail }: AuditEvent): AuditTarget | null {
	if (target === null) return null;
	const said = (subject: AuditSubject, href: string | null): AuditTarget => ({
		text: auditSubjectWords(subject),
		href
	});
	const [family = ''] = action.split('.', 1);
	const text = target;
	switch (family) {
		case 'page': {
			const path = typeof detail['path'] === 'string' ? detail['path'] : null;
			const [method = '', route = target] = target.split(' ');
			return said({ code: 'page', path: path ?? route }, method === 'GET' ? path : null);
		}
		case 'call':
			if (targetCode !== null || target === EARLY_MANY) return said({ code: 'many' }, null);
			return isLimitKind(target)
				? said({ code: 'limit-kind', kind: target }, null)
				: said(
						{ code: 'method', name: target },
						METHOD.test(target) ? `/console/${encodeURIComponent(target)}` : null
					);
		case 'rpc':
			return { text, href: place === target ? `/daemons/${encodeURIComponent(target)}` : null };
		case 'switch': {
			const control = SAFETY.find((name) => name === target);
			return control === undefined
				? { text, href: null }
				: said({ code: control }, `/admin/safety#${control}`);
		}
		case 'limit':
			return targetCode === null ? { text, href: LIMITS } : said({ code: targetCode }, LIMITS);
		case 'webhook': {
			const { server } = detail;
			return { text: typeof server === 'string' ? server : text, href: '/admin/notifications' };
		}
		case 'security':
			return isSetting(target)
				? said({ code: 'security-setting', name: target }, '/admin/security')
				: { text, href: '/admin/security' };
		case 'policy':
			return said({ code: 'policy' }, '/admin/policies');
		case 'change':
			return said({ code: 'change' }, `/approvals/changes/${encodeURIComponent(target)}`);
		case 'approval':
			return said({ code: 'approval' }, `/approvals/${encodeURIComponent(target)}`);
		case 'backup':
			return said({ code: 'burn' }, `/notary-approvals/${encodeURIComponent(target)}`);
		case 'approvals':
			return said(
				{ code: 'approval-queue' },
				`/notary-approvals/queue/${encodeURIComponent(target)}`
			);
		case 'draft': {
			const { name, chain } = detail;
			if (typeof name !== 'string' || typeof chain !== 'string') return { text, href: null };
			return said(
				{ code: 'draft', name, chain },
				action === 'draft.kept' ? `${chainPath(chain)}/tokens/new?draft=${target}` : null
			);
		}
		case 'book':
			return { text, href: `/address-book?q=${encodeURIComponent(target)}` };
		case 'coin':
		case 'activation':
			return { text, href: `/kdf/${encodeURIComponent(target)}` };
		case 'servers':
			return { text, href: '/kdf/servers' };
		case 'signer':
			return { text, href: '/kdf/signers' };
		case 'index':
			return { text, href: `${chainPath(target)}/indexing` };
		case 'devnet':
			return { text, href: '/devnet' };
		default:
			return { text, href: null };
	}
}

/**
 * Resolves the targets of events, by sequence number; events without a target are omitted. Needs only a few queries
 * by key, however many events there are.
 */
export async function auditTargets(
	db: Db,
	index: Index,
	events: readonly AuditEvent[]
): Promise<Map<number, AuditTarget>> {
	const moved = idsOf(events, ['work']);
	const [byMigration, byTransaction, bySeries, byToken, byInvitation, pages, tokens] =
		await Promise.all([
			migrations(db, index, [...idsOf(events, ['migration']), ...moved]),
			transactions(db, index, [...idsOf(events, ['send']), ...moved]),
			batchTransfers(db, index, [...idsOf(events, ['series']), ...moved]),
			apiTokens(db, idsOf(events, ['token'])),
			invitations(db, idsOf(events, ['invitation'])),
			members(
				db,
				idsOf(events, ['account', 'sessions', 'password', 'wallets', 'limit', 'token', 'access'])
			),
			readTokens(
				db,
				index,
				events.flatMap((event) =>
					isTokenOf(event) ? [{ chain: event.place ?? '', tokenid: event.target }] : []
				)
			)
		]);
	const byId = new Map([
		...byMigration,
		...byTransaction,
		...bySeries,
		...byToken,
		...byInvitation
	]);
	const targets = new Map<number, AuditTarget>();
	for (const event of events) {
		const { seq, target, targetCode, place } = event;
		if (target === null) continue;
		const found = byId.get(target);
		const page = targetCode === null ? pages.get(target) : undefined;
		if (found) targets.set(seq, { text: auditSubjectWords(found.subject), href: found.href });
		else if (isTokenOf(event)) {
			const chain = place ?? '';
			const name = tokens.get(tokenKey(chain, target))?.name ?? '';
			targets.set(seq, {
				text: auditSubjectWords({ code: 'token', name, chain }),
				href: `${chainPath(chain)}/token/${target}`
			});
		} else if (page !== undefined) targets.set(seq, { text: target, href: page });
		else {
			const own = told(event);
			if (own) targets.set(seq, own);
		}
	}
	return targets;
}
