/** Controls of sessions, links, passwords and response headers for browsers. */
import type { Control } from './control.ts';

export const sessionsControls: readonly Control[] = [
	{
		name: 'origin',
		stops: 'A page of another site posts a form in the name of who is signed in.',
		file: 'src/lib/server/access/requests/guard.ts',
		text: "if (!ours) return { identity, refusal: refusalOf('foreign-origin') };",
		replacement:
			"if (!ours && stands('origin')) return { identity, refusal: refusalOf('foreign-origin') };",
		attacks: ['form-from-another-site']
	},
	{
		name: 'rpc-origin',
		stops: 'A page of another site posts a JSON call in the name of who is signed in.',
		file: 'src/lib/server/rpc-proxy/http/caller.ts',
		text: 'if (allowed) return {',
		replacement: "if (allowed || !stands('rpc-origin')) return {",
		attacks: ['json-from-another-site']
	},
	{
		name: 'bearer-only',
		stops:
			'A page of another site posts a call with the credentials that the browser repeats by itself.',
		file: 'src/lib/server/access/requests/identify.ts',
		text: "	/^bearer /i.test(headers.get('authorization') ?? '');",
		replacement: "	!stands('bearer-only') || /^bearer /i.test(headers.get('authorization') ?? '');",
		attacks: ['repeated-credentials-from-another-site']
	},
	{
		name: 'route-table',
		stops: 'Somebody without the role, or without any session, opens what others may see.',
		file: 'src/lib/server/access/requests/guard.ts',
		text: 'switch (checkRoute(',
		replacement:
			"if (!stands('route-table')) return { identity, refusal: null };\nswitch (checkRoute(",
		attacks: ['role-taken-during-a-session', 'events-without-a-session']
	},
	{
		name: 'earlier-session-ends',
		stops: 'A session that was planted in a browser goes on beside the new one.',
		file: 'src/lib/server/access/accounts/sign-in/passwordLogin.ts',
		text: 'if (request.previousSessionId !== null) {',
		replacement: "if (request.previousSessionId !== null && stands('earlier-session-ends')) {",
		attacks: ['session-fixation']
	},
	{
		name: 'logout-ends-session',
		stops: 'A copy of the cookie works after the logout.',
		file: 'src/routes/logout/+server.ts',
		text: 'await auth.sessions.signOut(identity.account, identity.session.idHash);',
		replacement:
			"if (stands('logout-ends-session')) await auth.sessions.signOut(identity.account, identity.session.idHash);",
		attacks: ['cookie-after-logout']
	},
	{
		name: 'cookie-hidden',
		stops: 'A script in a page reads the session cookie.',
		file: 'src/lib/server/platform/http/cookies.ts',
		text: 'httpOnly: true',
		replacement: "httpOnly: stands('cookie-hidden')",
		attacks: ['cookie-read-by-a-script']
	},
	{
		name: 'stream-ends',
		stops: 'The event stream of a session goes on after the logout.',
		file: 'src/lib/server/api/live/live.ts',
		text: 'roles.get(credential.key) !== role) stream.end();',
		replacement: "roles.get(credential.key) !== role && stands('stream-ends')) stream.end();",
		attacks: ['events-after-logout']
	},
	{
		name: 'request-budget',
		stops: 'One address asks for pages without end.',
		file: 'src/handle/budget.ts',
		text: 'return locals.app.requestBudget.take(',
		replacement:
			"if (!stands('request-budget')) return Promise.resolve(null);\n\treturn locals.app.requestBudget.take(",
		attacks: ['flood-of-pages']
	},
	{
		name: 'login-throttle',
		stops: 'Passwords are guessed as fast as they can be sent.',
		file: 'src/lib/server/access/credentials/loginThrottle.ts',
		text: 'if (pause > 0) {',
		replacement: "if (pause > 0 && stands('login-throttle')) {",
		attacks: ['guessed-passwords', 'guesses-under-forged-addresses']
	},
	{
		name: 'same-work',
		stops: 'The time of an answer tells which names exist.',
		file: 'src/lib/server/access/accounts/password.ts',
		text: 'const matches = await verify(',
		replacement:
			"if (stored === null && !stands('same-work')) return false;\nconst matches = await verify(",
		attacks: ['login-timing']
	},
	{
		name: 'set-up-once',
		stops: 'A set-up link makes a second admin.',
		edits: [
			{
				file: 'src/lib/server/access/accounts/setup.ts',
				text: "return links.where('used_at', 'is', null);",
				replacement: "return stands('set-up-once') ? links.where('used_at', 'is', null) : links;"
			},
			{
				file: 'src/lib/server/access/accounts/setup.ts',
				text: 'const isOpen = hasNoAccount;',
				replacement:
					"const isOpen = async (within: Kysely<Schema>): Promise<boolean> =>\n\t!stands('set-up-once') || (await hasNoAccount(within));"
			}
		],
		attacks: ['set-up-link-again']
	},
	{
		name: 'link-once',
		stops: 'An invitation makes a second account, a reset a second password.',
		edits: [
			{
				file: 'src/lib/server/access/accounts/links/workingLink.ts',
				text: "return links.where('account_links.used_at', 'is', null);",
				replacement:
					"return stands('link-once') ? links.where('account_links.used_at', 'is', null) : links;"
			},
			{
				file: 'src/lib/server/access/accounts/links/workingLink.ts',
				text: 'if (numUpdatedRows !== 1n) throw unusable();',
				replacement: "if (numUpdatedRows !== 1n && stands('link-once')) throw unusable();"
			}
		],
		attacks: ['invitation-again', 'reset-again']
	},
	{
		name: 'safe-next',
		stops: 'A login ends on a page of somebody else.',
		file: 'src/lib/server/platform/http/safeNext.ts',
		text: "if (!next || !next.startsWith('/') || next.length > 2000) return '/';",
		replacement:
			"if (!stands('safe-next')) return next ?? '/';\nif (!next || !next.startsWith('/') || next.length > 2000) return '/';",
		attacks: ['open-redirect', 'open-redirect-after-sign-on']
	},
	{
		name: 'request-id',
		stops: 'A caller writes what it likes into headers of the answer and into the log.',
		file: 'src/hooks.server.ts',
		text: '(event.isSubRequest ? currentRequest() : null) ?? randomUUID();',
		replacement:
			"(stands('request-id') ? null : request.headers.get('x-request-id')) ?? (event.isSubRequest ? currentRequest() : null) ?? randomUUID();",
		attacks: ['header-injection']
	},
	{
		name: 'security-headers',
		stops: 'A browser guesses types, tells other sites where it was, and shares its process.',
		edits: [
			{
				file: 'src/handle/finished.ts',
				text: 'Object.entries(securityHeaders(locals.secure))',
				replacement:
					"stands('security-headers') ? Object.entries(securityHeaders(locals.secure)) : []"
			},
			{
				file: 'src/start/server.ts',
				text: 'Object.entries(securityHeaders(false))',
				replacement: "stands('security-headers') ? Object.entries(securityHeaders(false)) : []"
			}
		],
		attacks: ['guessed-types']
	},
	{
		name: 'content-policy',
		stops: 'A script that got into a page runs, and another site shows the page in a frame.',
		file: 'src/handle/finished.ts',
		text: "headers.set('x-request-id', locals.requestId);",
		replacement:
			"if (!stands('content-policy')) {\n\theaders.delete('content-security-policy');\n\theaders.delete('x-frame-options');\n}\nheaders.set('x-request-id', locals.requestId);",
		attacks: ['page-in-a-frame']
	}
];
