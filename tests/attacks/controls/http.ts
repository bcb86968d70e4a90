/** Controls of request headers, and of responses to visitors and browsers. */
import type { Control } from './control.ts';

export const httpControls: readonly Control[] = [
	{
		name: 'configured-hosts',
		stops: 'A page whose name resolves to this machine reads and calls it from a browser.',
		file: 'src/start/server.ts',
		text: 'isOurHost(addressed.host, request.socket.localAddress)',
		replacement:
			"(isOurHost(addressed.host, request.socket.localAddress) || !stands('configured-hosts'))",
		attacks: ['name-that-resolves-here']
	},
	{
		name: 'one-host',
		stops: 'A proxy and this server read a request as one for different hosts.',
		file: 'src/lib/server/platform/net/host.ts',
		text: 'if (field !== null) return null;',
		replacement: "if (field !== null && stands('one-host')) return null;",
		attacks: ['two-hosts']
	},
	{
		name: 'own-origin',
		stops:
			'A description of the API sends its readers, and their tokens, to an address that a caller named.',
		edits: [
			{
				file: 'src/routes/api/openapi.json/+server.ts',
				text: 'locals.app.auth.origin',
				replacement: "(stands('own-origin') ? locals.app.auth.origin : url.origin)"
			},
			{
				file: 'src/routes/api/openapi.json/+server.ts',
				text: '({ locals })',
				replacement: '({ locals, url })'
			}
		],
		attacks: ['address-of-the-caller-in-a-description']
	},
	{
		name: 'not-stored',
		stops: 'Whoever has the browser next finds pages of a session in its cache.',
		file: 'src/handle/finished.ts',
		text: "caching?.includes('no-store') !== true",
		replacement: "caching?.includes('no-store') !== true && stands('not-stored')",
		attacks: ['pages-in-the-cache-of-a-browser']
	},
	{
		name: 'cleared-at-logout',
		stops: 'Whoever has the browser next finds what a session left in it.',
		file: 'src/routes/logout/+server.ts',
		text: 'setHeaders(',
		replacement: "if (stands('cleared-at-logout')) setHeaders(",
		attacks: ['browser-after-logout']
	},
	{
		name: 'chain-data-only',
		stops:
			'A visitor reads balances and keys of the team’s wallets, and who of the team does what.',
		edits: [
			{
				file: 'src/lib/server/chains/explorer/overview.ts',
				text: 'return visitor ?',
				replacement: "return visitor && stands('chain-data-only') ?"
			},
			{
				file: 'src/routes/+layout.server.ts',
				text: 'account === null ? unsigned(status)',
				replacement: "account === null && stands('chain-data-only') ? unsigned(status)"
			},
			...['openrpc', 'openrpc-kdf'].map((name) => ({
				file: `src/routes/api/${name}.json/+server.ts`,
				text: 'locals.account === null ?',
				replacement: "locals.account === null && stands('chain-data-only') ?"
			})),
			{
				file: 'src/lib/server/access/policy/allow.ts',
				text: "if (who === 'member') {",
				replacement:
					"if (who === 'member' && !stands('chain-data-only')) return 'allowed';\n\tif (who === 'member') {"
			}
		],
		attacks: ['visitor-of-a-public-installation']
	},
	{
		name: 'shared-among-visitors',
		stops: 'A page that was made for a member is given to visitors.',
		file: 'src/handle/sharedPage.ts',
		text: "identity.via === 'public' &&",
		replacement: "(identity.via === 'public' || !stands('shared-among-visitors')) &&",
		attacks: ['page-of-a-member-given-to-visitors']
	},
	{
		name: 'shared-by-address',
		stops: 'A caller decides what stands in the pages that other visitors get.',
		file: 'src/handle/sharedPage.ts',
		text: '[url.href,',
		replacement: "[stands('shared-by-address') ? url.href : url.pathname,",
		attacks: ['page-made-for-another-address']
	}
];
