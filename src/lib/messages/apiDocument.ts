/** Texts of the OpenAPI document, apart from its lists. */
export const API_DOCUMENT = {
	title: 'Komodeck',
	description:
		'What the pages show, for programs. Amounts are text with eight decimals, token units are text. Responses have an ETag; a repeated request gets 304 while nothing changed.',
	chain: 'Name of the chain, such as KMD',
	refusals: {
		'400': 'A parameter does not fit; `field` names it',
		'401': 'Log in, or send an API token as Bearer',
		'403': 'The role or the API token does not allow it',
		'404': 'There is no such list, chain or thing',
		'429': 'Too many requests; ask again after the seconds of `Retry-After`',
		'503': 'The database does not answer; ask again after the seconds of `Retry-After`'
	},
	unchanged: 'Nothing changed since the answer with this ETag',
	/** @param most limit of one response */
	from: (most: number): string =>
		`The first of its parts in the response, counted from 0; ${most} of each kind follow at most`,
	limit:
		'Most rows of the page; one with long texts has fewer, and `next` is null on the last page only',
	next: '`from` of the parts that follow; null when none do',
	details: {
		block: 'A block with its transactions',
		transaction: 'A transaction with its inputs and outputs',
		token: 'A token and its twins on other chains',
		address: 'What an address holds and has received'
	}
} as const;
