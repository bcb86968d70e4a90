import { PAGE_NAMES } from '../navigation.ts';
import type { HelpTopic } from './topic.ts';

export const rpcApi: HelpTopic = {
	title: 'RPC API and JSON API',
	lead: 'For scripts: the daemons’ own methods, and what the lists show.',
	sections: [
		{
			id: 'call',
			title: 'Call a daemon',
			steps: [
				'Create an API token on your account page. Give it an end and only the methods, wallets and amounts that the script needs.',
				'Send the daemon’s own JSON-RPC to /api/rpc/NAME with the token as a Bearer token, or as the password of Basic credentials with your member name.'
			],
			code: `curl https://HOST/api/rpc/KMD \\
  -H 'Authorization: Bearer TOKEN' \\
  -H 'Content-Type: application/json' \\
  -d '{"method":"getinfo","params":[]}'`,
			links: [
				{ label: 'Account', href: '/account' },
				{ label: 'RPC console', href: '/console' },
				{ label: 'OpenRPC of the daemons', href: '/api/openrpc.json' },
				{ label: 'OpenRPC of the trading node', href: '/api/openrpc-kdf.json' }
			]
		},
		{
			id: 'safe',
			title: 'Send once',
			points: [
				'Roles, wallets, policies, spending limits and safety controls hold for scripts as for pages.',
				'A call that changes something can have an Idempotency-Key of 8 to 128 visible characters. Sent again with the same key and body within a day, it is not made again and gets the first response.',
				'Status 422: the key came with another body. Status 409: the first call is still being made, or its response was lost; look up what happened before you use a new key.'
			]
		},
		{
			id: 'errors',
			title: 'Errors',
			points: [
				'Errors of a daemon pass through as they are, with their code and HTTP status.',
				'Status 404 with code -32601: the role or the API token does not allow the method, or there is no such method.',
				'Status 403: a wallet, a recipient, a limit of the token or a policy (code -32050) denies the call. Status 429: a spending limit is reached, or too many calls came at once. Status 503: a safety control is on.',
				'Status 502 or 504: the daemon did not respond, or not in time. Whether a call that changes something was made is then unknown: look it up before you repeat it, or use an Idempotency-Key.'
			],
			links: [{ label: PAGE_NAMES.errorCodes, href: '/help/errors' }]
		},
		{
			id: 'lists',
			title: 'Lists and details',
			text: [
				'/api/v1 serves what the lists and pages of chains show, as JSON or CSV, with the same filters and in pages by a cursor. /api/events is a stream of server-sent events.'
			],
			links: [{ label: 'OpenAPI', href: '/api/openapi.json' }]
		}
	]
};
