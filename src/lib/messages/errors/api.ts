import { withStatus, type ErrorArea } from './define.ts';

/** Client errors of the JSON API. */
export const api = {
	/** The client disconnected. With status 499 a proxy's log does not count the request as a server error. */
	'api.caller-gone': {
		status: 499,
		message: () => 'The caller went before the request was whole.'
	},
	...withStatus(400, {
		'api.parameter-invalid': () => 'The value of this parameter is not valid.',
		/** `problem`: the error of the list's filter, as a sentence. */
		'api.filter-invalid': ({ problem }: { problem: string }) => problem,
		'api.parameter-unknown': ({ name }: { name: string }) => `There is no parameter ${name} here.`,
		'api.parameter-repeated': ({ name }: { name: string }) => `${name} can be given once.`,
		/** A cursor that belongs to another list. */
		'api.cursor-unknown': () => 'This place in the list cannot be found. Begin with its first page.'
	}),
	'api.sort-unknown': {
		status: 400,
		field: 'sort',
		message: ({ sorts }: { sorts: readonly string[] }) => `sort is one of ${sorts.join(', ')}.`
	},
	'api.limit-invalid': {
		status: 400,
		field: 'limit',
		message: ({ most }: { most: number }) => `limit is a whole number from 1 to ${most}.`
	},
	'api.from-invalid': {
		status: 400,
		field: 'from',
		message: ({ most }: { most: number }) => `from is a whole number from 0 to ${most}.`
	},
	'api.two-cursors': {
		status: 400,
		field: 'before',
		message: () => 'A page is behind a place or before one, not both.'
	},
	'api.block-id-invalid': {
		status: 400,
		field: 'height or hash',
		message: () => 'A block is named by its height or its hash.'
	},
	'api.txid-invalid': { status: 400, field: 'txid', message: () => 'A txid has 64 hex digits.' },
	'api.tokenid-invalid': {
		status: 400,
		field: 'tokenid',
		message: () => 'A tokenid has 64 hex digits.'
	},
	'api.address-invalid': {
		status: 400,
		field: 'address',
		message: () => 'This is not an address of these chains.'
	},
	...withStatus(404, {
		'api.list-unknown': ({ name }: { name: string }) => `There is no list ${name} here.`,
		'api.chain-unknown': ({ chain }: { chain: string }) => `No chain ${chain} is configured.`,
		'api.chain-not-indexed': () => 'The index does not hold this chain yet. Try again in a moment.',
		'api.not-indexed': ({ what }: { what: string }) =>
			`The index of this chain holds no such ${what}.`,
		'api.nothing-here': () => 'There is nothing here. /api/openapi.json lists every address.'
	})
} satisfies ErrorArea<'api'>;
