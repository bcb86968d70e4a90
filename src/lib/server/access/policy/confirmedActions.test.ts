import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { confirmedActions, irreversibleActions, routes, type RouteAccess } from './routes.ts';

const ROUTES = join(import.meta.dirname, '../../../../routes');

/** Reasons why an action needs no second factor. */
const BUILDS = 'builds a transaction or a draft; what sends it is an action of its own, and asks';
const ENDS = 'ends or discards something; nothing goes out by it, and nobody gets a right';
const LOOKS = 'reads, checks or calculates';
const OWN = 'what the member alone sees, hears or asks for';
const ENTERS = 'is how somebody shows who they are, or the end of that';
const LABELS = 'names for people to read; each review shows the address itself';
const PROVEN = 'takes what is proven by a signature of its own, from anybody';

/**
 * Every action that needs no second factor. A new action that sends or grants something belongs in
 * `confirmedActions`.
 */
const EXCEPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'/': { dismiss: OWN },
	'/account': { revokeSession: ENDS, revokeOthers: ENDS, revokeToken: ENDS },
	'/account/access': { request: OWN },
	'/account/notifications': { email: OWN },
	'/address-book': { add: LABELS, fill: LOOKS, import: LABELS },
	'/address-book/[id]': { change: LABELS, remove: LABELS },
	'/api/notary-approvals/[txid]': { POST: PROVEN },
	'/approvals/[id]': { withdraw: ENDS },
	'/chains/[chain]/proof': { default: LOOKS },
	'/chains/[chain]/self-import': { default: BUILDS },
	'/chains/[chain]/self-import/[id]': { discard: ENDS, look: LOOKS },
	'/chains/[chain]/token/[tokenid]/batch-transfer': { rows: BUILDS, paste: BUILDS, review: BUILDS },
	'/chains/[chain]/token/[tokenid]/batch-transfer/[id]': { discard: ENDS, stop: ENDS },
	'/chains/[chain]/token/[tokenid]/burn': { default: BUILDS },
	'/chains/[chain]/token/[tokenid]/transfer': { default: BUILDS },
	'/chains/[chain]/tokens/new': { default: BUILDS },
	'/confirm': { default: ENTERS },
	'/console': { clear: OWN },
	'/decode': { default: LOOKS },
	'/join': { default: ENTERS },
	'/kdf/[coin]': { test: LOOKS },
	// Listing an address is a call of the node, which is authorized as such.
	'/kdf/sign': { show: LOOKS, edit: LOOKS, list: LOOKS },
	'/kdf/tasks/[id]': { cancel: ENDS, hurry: LOOKS, leave: ENDS },
	'/kdf/verify': { default: LOOKS },
	'/login': { default: ENTERS },
	'/login/factor': { default: ENTERS },
	'/login/passkey': { POST: ENTERS },
	'/login/provider': { POST: ENTERS },
	'/login/provider/logout': { POST: ENTERS },
	'/logout': { POST: ENTERS },
	'/migrations/[id]': { discard: ENDS, abandon: ENDS, withdraw: ENDS },
	'/migrations/new': { default: BUILDS },
	'/migrations/new/custom': { default: BUILDS },
	'/migrations/new/token': { default: BUILDS },
	'/notary-approvals/[txid]': { default: PROVEN },
	'/notary-approvals/[txid]/approve': { check: LOOKS },
	'/notary-approvals/queue': { default: BUILDS },
	'/notary-approvals/queue/[id]': { discard: ENDS },
	'/notifications': { open: OWN, read: OWN, readAll: OWN },
	'/setup': { default: ENTERS },
	'/theme': { POST: OWN },
	'/transactions/[id]': { discard: ENDS, look: LOOKS },
	'/wallets/[id]': { claim: BUILDS, consolidate: BUILDS },
	'/wallets/[id]/consolidate': { default: BUILDS },
	'/wallets/[id]/send': { default: BUILDS },
	'/wallets/[id]/split': { default: BUILDS }
};

/** What a route file accepts by POST: the names of its form actions, or `POST` for an endpoint. */
function postedTo(text: string): string[] {
	const source = ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
	return source.statements.flatMap((statement) => {
		if (!ts.isVariableStatement(statement)) {
			const isPost = ts.isFunctionDeclaration(statement) && statement.name?.text === 'POST';
			return isPost ? ['POST'] : [];
		}
		return statement.declarationList.declarations.flatMap(({ name, initializer }) => {
			if (name.getText() === 'POST') return ['POST'];
			if (name.getText() !== 'actions') return [];
			if (!initializer || !ts.isObjectLiteralExpression(initializer)) {
				throw new Error('These actions cannot be read: write them as one object.');
			}
			return initializer.properties.map((property) => {
				if (!property.name) throw new Error('An action without a name of its own cannot be read.');
				return property.name.getText();
			});
		});
	});
}

/** Every action of `src/routes`, as route and name. */
const found = readdirSync(ROUTES, { recursive: true, encoding: 'utf8' })
	.map((file) => file.replaceAll('\\', '/'))
	.filter((file) => /(?:^|\/)\+(?:page\.server|server)\.ts$/.test(file))
	.flatMap((file) => {
		const id = `/${file.replace(/\/?\+[^/]*$/, '')}`;
		return postedTo(readFileSync(join(ROUTES, file), 'utf8')).map((action) => ({ id, action }));
	});

const spelled = ({ id, action }: { id: string; action: string }): string => `${id} ${action}`;
const listed = (table: Readonly<Record<string, Readonly<Record<string, string>>>>): string[] =>
	Object.entries(table).flatMap(([id, actions]) =>
		Object.keys(actions).map((action) => spelled({ id, action }))
	);

test('each action is confirmed, by its route or by itself, or is an exception with a reason', () => {
	const table: Readonly<Record<string, RouteAccess>> = routes;
	const asking = found.filter(({ id }) => table[id]?.POST !== 'administer');
	expect(asking.length).toBeGreaterThan(80);
	const known = new Set([...listed(confirmedActions), ...listed(EXCEPTIONS)]);
	expect(asking.map(spelled).filter((one) => !known.has(one))).toEqual([]);
});

test('no action is confirmed and an exception, and each exception is an action that there is', () => {
	const confirmed = new Set(listed(confirmedActions));
	expect(listed(EXCEPTIONS).filter((one) => confirmed.has(one))).toEqual([]);
	const real = new Set(found.map(spelled));
	expect(listed(EXCEPTIONS).filter((one) => !real.has(one))).toEqual([]);
});

/** Reasons why an action that ends something does not ask first. */
const AGAIN = 'can be done again with one form; nothing that took work is lost';
const BACK = 'has an action that takes it back';
const REVIEWED = 'is on a page or in a form that shows what it ends';
const NOT_SENT =
	'discards what was not sent, or ends an attempt; it can be reviewed or started again';

/** Every action that ends something without a question. */
const UNASKED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	'/': { dismiss: AGAIN },
	'/account': { revokeSession: AGAIN, revokeOthers: AGAIN },
	'/account/notifications': { removeEmail: AGAIN, turnOff: BACK },
	'/admin/audit': { removeFilter: AGAIN },
	'/admin/members': { dismiss: AGAIN },
	'/admin/members/[id]': { endSessions: AGAIN, reset: AGAIN },
	'/admin/notifications': { rotate: 'lets the secret before sign for another day', disable: BACK },
	'/admin/safety': { turnOff: BACK },
	'/approvals/[id]': { reject: REVIEWED, withdraw: REVIEWED },
	'/approvals/changes/[id]': { reject: REVIEWED, withdraw: REVIEWED },
	'/chains/[chain]/indexing': { reindex: REVIEWED },
	'/chains/[chain]/self-import/[id]': { discard: NOT_SENT },
	'/chains/[chain]/token/[tokenid]/batch-transfer/[id]': { discard: NOT_SENT, stop: BACK },
	'/console': { clear: OWN },
	'/kdf/[coin]': { disable: BACK },
	'/kdf/servers': { remove: AGAIN },
	'/kdf/tasks/[id]': { cancel: NOT_SENT, leave: BACK },
	'/migrations/[id]': { discard: NOT_SENT, abandon: NOT_SENT, withdraw: BACK },
	'/notary-approvals/queue/[id]': { discard: NOT_SENT },
	'/transactions/[id]': { discard: NOT_SENT }
};

const ENDING =
	/^(?:abandon|cancel|clear|disable|discard|dismiss|end\w*|leave|reindex|reject|remove\w*|renew\w*|replace\w*|reset\w*|revoke\w*|rotate|stop|takeBack|turnOff|unlink|withdraw)$/;

test('each action that ends something asks first, or is an exception with a reason', () => {
	const ending = found.filter(({ action }) => ENDING.test(action)).map(spelled);
	expect([...listed(irreversibleActions), ...listed(UNASKED)].toSorted()).toEqual(
		ending.toSorted()
	);
});
