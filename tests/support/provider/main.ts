/**
 * A real OpenID provider (oidc-provider) in a separate process, on loopback. Its login page accepts every name;
 * messages of the test set the claims of a member, such as name and groups. It ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider, { errors } from 'oidc-provider';

/** The first message names the client. Later ones set claims of a member, or what its keys are answered with. */
export type ProviderOrder =
	| {
			kind: 'serve';
			redirectUri: string;
			clientId: string;
			clientSecret: string;
			/** The address for logout tokens. */
			logoutUri: string | null;
	  }
	| { kind: 'claims'; subject: string; claims: Record<string, unknown> }
	| { kind: 'keys'; instead: KeysAnswer | null };

/** An answer in place of the keys. */
export interface KeysAnswer {
	status: number;
	body: string;
}

export interface ProviderReport {
	issuer: string;
}

const claims = new Map<string, Record<string, unknown>>();
const server = createServer();
let instead: KeysAnswer | null = null;

function serve({
	redirectUri,
	clientId,
	clientSecret,
	logoutUri
}: Extract<ProviderOrder, { kind: 'serve' }>): void {
	server.listen(0, '127.0.0.1', () => {
		const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
		const provider = new Provider(issuer, {
			clients: [
				{
					client_id: clientId,
					client_secret: clientSecret,
					redirect_uris: [redirectUri],
					post_logout_redirect_uris: [new URL('/login', redirectUri).href],
					...(logoutUri === null
						? {}
						: {
								backchannel_logout_uri: logoutUri,
								backchannel_logout_session_required: true
							})
				}
			],
			cookies: { keys: ['only a test'] },
			// The library's own fetch reaches no loopback address, where the test's application is.
			fetch: (url, { method, headers, body } = {}) =>
				fetch(url, { method: method ?? 'GET', headers: headers ?? {}, body: body ?? null }),
			// Puts claims of scopes into the ID token, like most providers.
			conformIdTokenClaims: false,
			claims: {
				openid: ['sub', 'groups'],
				profile: ['preferred_username'],
				email: ['email', 'email_verified']
			},
			findAccount: (_context, sub) => ({
				accountId: sub,
				claims: () => ({ sub, preferred_username: sub, ...claims.get(sub) })
			}),
			features: { devInteractions: { enabled: true }, backchannelLogout: { enabled: true } }
		});
		provider.on('server_error', (_context, error: Error) => {
			if (!(error instanceof errors.OIDCProviderError)) console.error(error);
		});
		const handle = provider.callback();
		server.on('request', (request, response) => {
			if (instead === null || request.url !== '/jwks') return void handle(request, response);
			response.writeHead(instead.status).end(instead.body);
		});
		process.send?.({ issuer } satisfies ProviderReport);
	});
}

process.on('message', (order: ProviderOrder) => {
	if (order.kind === 'serve') serve(order);
	else {
		if (order.kind === 'keys') ({ instead } = order);
		else claims.set(order.subject, order.claims);
		process.send?.({ issuer: '' } satisfies ProviderReport);
	}
});
process.on('disconnect', () => process.exit(0));
