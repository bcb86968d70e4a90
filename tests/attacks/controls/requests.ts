/** Controls of the work that a request can cause. */
import type { Control } from './control.ts';

export const requestsControls: readonly Control[] = [
	{
		name: 'body-limits',
		stops: 'A form of a million fields from a stranger stops everybody for seconds.',
		file: 'src/hooks.server.ts',
		text: 'const taken = await takeBody(request, bodyLimitsOf(event.route.id, signedIn));',
		replacement:
			"const taken = stands('body-limits') ? await takeBody(request, bodyLimitsOf(event.route.id, signedIn)) : request;",
		attacks: ['form-of-many-fields']
	},
	{
		name: 'body-without-a-route',
		stops: 'A form of a million fields to an address without a page stops the server for seconds.',
		file: 'src/hooks.server.ts',
		text: 'response = await answer();',
		replacement:
			"response = stands('body-without-a-route') ? await answer() : await onceFor(event, answer);",
		attacks: ['form-to-no-page']
	},
	{
		name: 'body-meter',
		stops: 'A viewer’s batch of half a million empty calls is read whole before it is refused.',
		file: 'src/lib/server/rpc-proxy/http/rpcBody.ts',
		text: 'const fault = meter.feed(chunk);',
		replacement: "const fault = stands('body-meter') ? meter.feed(chunk) : null;",
		attacks: ['batch-of-nothing'],
		// With the size limit in place, a batch of this kind is too short to be expensive.
		behind: 'rpc-body-limit'
	},
	{
		name: 'names-beside-passwords',
		stops: 'Forms with a password and a long name from a visitor delay all others for seconds.',
		file: 'src/lib/server/access/accounts/passwordRules.ts',
		text: 'return length >= 3 && length <= LONGEST_NAME;',
		replacement:
			"return length >= 3 && (length <= LONGEST_NAME || !stands('names-beside-passwords'));",
		attacks: ['password-beside-a-name-without-end']
	},
	{
		name: 'streams-per-member',
		stops: 'One member takes every event stream of an office.',
		file: 'src/lib/server/api/live/pools.ts',
		text: 'if (own.length >= limits.member)',
		replacement: "if (own.length >= limits.member && stands('streams-per-member'))",
		attacks: ['streams-of-one-member']
	},
	{
		name: 'whole-answers',
		stops: 'A file of the build that is gone is an answer without end, or the end of the process.',
		file: 'src/start/server.ts',
		text: 'enforceContentLength(request, response);',
		replacement: "if (stands('whole-answers')) enforceContentLength(request, response);",
		attacks: ['file-gone-under-the-server']
	}
];
