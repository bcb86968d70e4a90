/** An issuer controlled by the attacks: it returns any ID token that a test requests, signed or forged. */
import { createSign, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export const CLIENT_ID = 'komodeck';

/** The token endpoint's response to a code. */
export interface Answer {
	claims: Record<string, unknown>;
	/** `ours`: the issuer's key; `other`: an unknown key under the same key id; `none`: no signature. */
	signed?: 'ours' | 'other' | 'none';
	/** Members of the response besides the ID token. */
	beside?: Record<string, unknown>;
}

export interface ForgingIssuer {
	issuer: string;
	/** Creates a reusable code for this response. */
	code(answer: Answer): string;
	/** A token with these claims in addition to the usual ones. */
	token(answer: Answer): string;
	stop(): Promise<void>;
}

const encoded = (value: unknown): string =>
	Buffer.from(JSON.stringify(value)).toString('base64url');

function token(claims: Record<string, unknown>, key: KeyObject | null): string {
	const header = key === null ? { alg: 'none' } : { alg: 'RS256', kid: 'one' };
	const body = `${encoded(header)}.${encoded(claims)}`;
	const signature = key === null ? '' : createSign('sha256').update(body).sign(key, 'base64url');
	return `${body}.${signature}`;
}

export async function startForgingIssuer(): Promise<ForgingIssuer> {
	const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const answers = new Map<string, Answer>();
	const tokenOf = ({ claims, signed = 'ours', beside }: Answer) => {
		const now = Math.floor(Date.now() / 1000);
		const usual = { iss: issuer, aud: CLIENT_ID, iat: now, exp: now + 300 };
		const key = { ours: ours.privateKey, other: other.privateKey, none: null }[signed];
		return {
			access_token: 'an access token',
			token_type: 'Bearer',
			...beside,
			id_token: token({ ...usual, ...claims }, key)
		};
	};
	const server = createServer((request, response) => {
		let body = '';
		request.on('data', (part: Buffer) => void (body += part.toString()));
		request.on('end', () => {
			const answer = answers.get(new URLSearchParams(body).get('code') ?? '');
			const said =
				request.url === '/token'
					? answer && tokenOf(answer)
					: request.url === '/keys'
						? { keys: [{ ...ours.publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256' }] }
						: {
								issuer,
								authorization_endpoint: `${issuer}/authorize`,
								token_endpoint: `${issuer}/token`,
								jwks_uri: `${issuer}/keys`,
								response_types_supported: ['code'],
								subject_types_supported: ['public'],
								id_token_signing_alg_values_supported: ['RS256'],
								authorization_response_iss_parameter_supported: true
							};
			response.writeHead(said ? 200 : 400, { 'content-type': 'application/json' });
			response.end(JSON.stringify(said ?? { error: 'invalid_grant' }));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
	return {
		issuer,
		token: (answer) => tokenOf(answer).id_token,
		code(answer) {
			const code = randomUUID();
			answers.set(code, answer);
			return code;
		},
		async stop() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		}
	};
}
