/** The addresses of notary approvals for programs, for the description of the JSON API. */
import { z } from 'zod';
import { Hash } from '../../chains/lists/list.ts';
import { FEED_FORMAT, FEED_VERSION, type Feed, type FeedBurn } from './feed.ts';

const Hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);

const BurnSchema: z.ZodType<FeedBurn> = z.strictObject({
	burnTxid: Hash,
	burnTxHex: Hex.describe('The signed burn'),
	payouts: Hex.describe('Serialized outputs of the import'),
	sourceSymbol: z.string(),
	targetSymbol: z.string(),
	targetCCid: z.int().describe('CCid of both chains (ac_cc)'),
	tokenid: Hash.optional().describe('Only when a token is burned'),
	amount: z.string().describe('Eight decimals; of a token, base units'),
	recipients: z.array(z.strictObject({ address: z.string().nullable(), amount: z.string() })),
	sourceHeight: z.int().nullable(),
	sourceBlockHash: Hash.nullable(),
	publishedAt: z.string().describe('UTC, ISO 8601'),
	open: z.boolean().describe('Still collects approvals'),
	approvalsNeeded: z.int(),
	approvalsCounted: z.int(),
	approvals: z.array(
		z.strictObject({
			txid: Hash,
			state: z.string().describe('prepared, unknown, pending, mined or gone'),
			notary: z.string().nullable().describe('Compressed public key, hex'),
			height: z.int().nullable(),
			counts: z.boolean()
		})
	),
	commands: z
		.array(z.strictObject({ what: z.string(), command: z.string() }))
		.describe('What a notary operator runs, in order'),
	page: z.string(),
	postTo: z.string()
});

export const FeedSchema: z.ZodType<Feed> = z.strictObject({
	format: z.literal(FEED_FORMAT),
	version: z.literal(FEED_VERSION),
	burns: z.array(BurnSchema),
	next: z.string().nullable().describe('Address of the next page; null on the last one')
});

const OneBurn = z.strictObject({
	format: z.literal(FEED_FORMAT),
	version: z.literal(FEED_VERSION),
	burn: BurnSchema
});

const Given = z.strictObject({
	txid: Hash,
	state: z.string(),
	message: z.string().describe('A sentence for a person'),
	notary: z.string().nullable(),
	approvalsCounted: z.int(),
	approvalsNeeded: z.int()
});

const Refused = z.strictObject({
	error: z.strictObject({ code: z.string(), message: z.string() })
});

/** An operation anybody may ask for; the description turns its schemas into JSON Schema. */
export interface PublicOperation {
	path: string;
	method: 'get' | 'post';
	id: string;
	summary: string;
	parameters: readonly { name: string; in: 'path' | 'query'; description: string }[];
	body?: z.ZodType;
	answers: Readonly<Record<string, { description: string; schema: z.ZodType }>>;
}

const TXID = { name: 'txid', in: 'path', description: 'ID of the published burn' } as const;

/** Anybody may ask, from any site. */
export const notaryApprovalOperations: readonly PublicOperation[] = [
	{
		path: '/api/notary-approvals.json',
		method: 'get',
		id: 'backup-feed',
		summary: 'Published burns that wait for approvals, newest first',
		parameters: [{ name: 'after', in: 'query', description: 'As `next` has it' }],
		answers: { '200': { description: 'A page of them', schema: FeedSchema } }
	},
	{
		path: '/api/notary-approvals/{txid}',
		method: 'get',
		id: 'backup-burn',
		summary: 'One published burn with its approvals',
		parameters: [TXID],
		answers: {
			'200': { description: 'The burn', schema: OneBurn },
			'404': { description: 'No published burn has this ID', schema: Refused }
		}
	},
	{
		path: '/api/notary-approvals/{txid}',
		method: 'post',
		id: 'give-approval',
		summary: 'Enter the ID of an approval; it is looked up on the destination before it is kept',
		parameters: [TXID],
		body: z.strictObject({ txid: Hash }),
		answers: {
			'200': { description: 'Found on the destination', schema: Given },
			'202': { description: 'Kept, and looked up later', schema: Given },
			'400': { description: 'The body is not an ID', schema: Refused },
			'404': { description: 'No published burn has this ID', schema: Refused },
			'409': {
				description: 'The notary has already approved the burn, or it needs no approvals',
				schema: Refused
			},
			'413': { description: 'The body is too large', schema: Refused },
			'422': { description: 'The transaction is no approval of this burn', schema: Refused },
			'429': { description: 'Too many IDs; Retry-After says when', schema: Refused },
			'503': { description: 'The destination is offline', schema: Refused }
		}
	}
];
