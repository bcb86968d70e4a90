import type { RequestEvent } from '@sveltejs/kit';
import { credentialOf, rolesNow } from '#lib/server/api/live/credential.ts';

/** Milliseconds between checks whether the caller may still download the file. */
const ASK_EVERY_MS = 1_000;

/**
 * Ends a download that is read from the database while it is sent, as soon as the session, API token or role
 * with which it was requested is no longer valid.
 */
export function endOnRevocation({ locals }: RequestEvent, response: Response): Response {
	const { app, identity } = locals;
	const credential = credentialOf(identity);
	const { body, headers, status } = response;
	if (credential === null || body === null || !headers.has('content-disposition')) return response;
	const mayStill = async (): Promise<boolean> => {
		const { sessions, settings } = app.auth;
		const roles = await rolesNow(
			app.db,
			[credential],
			await sessions.rule(),
			await settings.values()
		);
		return roles.get(credential.key) === identity.role;
	};
	let askedAt = performance.now();
	const checked = new TransformStream<Uint8Array, Uint8Array>({
		async transform(chunk, controller) {
			if (performance.now() - askedAt >= ASK_EVERY_MS) {
				if (!(await mayStill()))
					throw new Error('Who asked for the file may not have it any more.');
				askedAt = performance.now();
			}
			controller.enqueue(chunk);
		}
	});
	return new Response(body.pipeThrough(checked), { status, headers });
}
