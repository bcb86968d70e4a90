/** The product as a process, with its own devnet, with rules and members who ask and approve over HTTP. */
import { SESSION_COOKIE } from '#lib/server/access/accounts/sessions/sessionCookie.ts';
import type { Account } from '#lib/server/access/identity/identity.ts';
import type { Role } from '#lib/server/access/identity/roles.ts';
import { createPolicies } from '#lib/server/access/policy/rules/policies.ts';
import type { RuleBody } from '#lib/server/access/policy/rules/rule.ts';
import { createWallets } from '#lib/server/access/policy/wallets/wallets.ts';
import type { Auth } from '#lib/server/access/requests/auth.ts';
import type { TestDatabase } from '../../support/database.ts';
import { startDevnet, type Devnet } from '../../support/devnet.ts';
import { addPerson, authOver } from '../../support/members.ts';
import { launchProduct } from '../../support/product.ts';
import { clientOf, type ProductClient } from '../../support/productClient.ts';
import { removeRules, ruleOf } from '../../support/ruledRights.ts';

export interface Member extends ProductClient {
	account: Account;
	/** The page after a form without JavaScript. */
	shown(path: string, fields: Readonly<Record<string, string>>): Promise<string>;
	/** The response to a form that the member's API token posts. */
	byToken(path: string): Promise<{ status: number; text: string }>;
}

/** A request for approval in the list of a member. */
interface ListedRequest {
	id: string;
	summary: string;
	kind: string | null;
	state: string;
}

export interface RuledProduct {
	net: Devnet;
	/** Address of the product. */
	url: string;
	auth: Auth;
	/** Adds a member with a grant for every wallet, or for the named ones. */
	member(role: Role, daemons?: readonly string[]): Promise<Member>;
	/** Makes this the only rule. */
	rule(body: Partial<RuleBody>): Promise<void>;
	stop(): Promise<void>;
}

export async function startRuledProduct(database: TestDatabase): Promise<RuledProduct> {
	const net = await startDevnet();
	const auth = await authOver(database);
	const { url: databaseUrl, dataDir } = database.options;
	const { url, stop } = await launchProduct({
		env: {
			KOMODECK_DATA: dataDir,
			KOMODO_HOME: net.dir,
			KOMODECK_PUBLIC: '0',
			KOMODECK_REQUESTS: '1000000',
			KOMODECK_CALLS: '1000000',
			...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl })
		}
	});
	const policies = createPolicies(database.db, auth.audit);
	const wallets = createWallets(database.db, auth.audit);
	return {
		net,
		url,
		auth,
		async member(role, daemons) {
			const account = await addPerson(database, role);
			await wallets.set(null, account.id, {
				every: daemons === undefined,
				daemons: daemons ?? []
			});
			const { token } = await auth.tokens.create({ account, name: 'script', role }, account);
			const session = await auth.sessions.begin(account.id, { address: null, userAgent: null });
			const cookie = `${SESSION_COOKIE}=${session}`;
			return {
				account,
				...clientOf(url, { cookie, token }),
				async shown(path, fields) {
					const headers = { origin: url, accept: 'text/html', cookie };
					const body = new URLSearchParams({ ...fields });
					return (await fetch(`${url}${path}`, { method: 'POST', headers, body })).text();
				},
				async byToken(path) {
					const answer = await fetch(`${url}${path}`, {
						method: 'POST',
						headers: { authorization: `Bearer ${token}`, accept: 'text/html' },
						body: new URLSearchParams({})
					});
					return { status: answer.status, text: await answer.text() };
				}
			};
		},
		async rule(body) {
			await removeRules(policies);
			await policies.change(null, { change: 'add', body: ruleOf(body) });
		},
		async stop() {
			await stop();
			await net.stop();
		}
	};
}

/** The requests that wait for a member, oldest first. */
export async function waitingFor(member: Member): Promise<ListedRequest[]> {
	const { list } = await member.page('/approvals');
	return (list as { rows: ListedRequest[] }).rows.toReversed();
}

/** Approves the request as shown on its page. */
export async function approve(member: Member, request: string): Promise<void> {
	const { hash } = await member.page(`/approvals/${request}`);
	const done = await member.submit(`/approvals/${request}?/approve`, { hash: String(hash) });
	if (done.kind !== 'redirect') throw new Error(done.shown);
}

export async function reject(member: Member, request: string): Promise<void> {
	const done = await member.submit(`/approvals/${request}?/reject`, { reason: 'not this week' });
	if (done.kind !== 'redirect') throw new Error(done.shown);
}
