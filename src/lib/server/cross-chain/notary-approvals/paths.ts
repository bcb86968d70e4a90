/** Paths of notary approvals for scripts, for the description of the JSON API. */
import { z } from 'zod';
import { notaryApprovalApi as texts } from '#lib/messages/notary-approvals/api.ts';
import { Hash } from '../../chains/lists/list.ts';
import { FEED_FORMAT, FEED_VERSION, type Feed, type FeedBurn } from './feed.ts';

const { fields } = texts;

const Hex = z.string().regex(/^(?:[0-9a-f]{2})*$/);

const BurnSchema: z.ZodType<FeedBurn> = z.strictObject({
	burnTxid: Hash,
	burnTxHex: Hex.describe(fields.burnTxHex),
	payouts: Hex.describe(fields.payouts),
	sourceSymbol: z.string(),
	targetSymbol: z.string(),
	targetCCid: z.int().describe(fields.targetCCid),
	tokenid: Hash.optional().describe(fields.tokenid),
	amount: z.string().describe(fields.amount),
	recipients: z.array(z.strictObject({ address: z.string().nullable(), amount: z.string() })),
	sourceHeight: z.int().nullable(),
	sourceBlockHash: Hash.nullable(),
	publishedAt: z.string().describe(fields.time),
	open: z.boolean().describe(fields.open),
	approvalsNeeded: z.int(),
	approvalsCounted: z.int(),
	approvals: z.array(
		z.strictObject({
			txid: Hash,
			state: z.string().describe(fields.state),
			notary: z.string().nullable().describe(fields.notary),
			height: z.int().nullable(),
			counts: z.boolean()
		})
	),
	commands: z
		.array(z.strictObject({ what: z.string(), command: z.string() }))
		.describe(fields.commands),
	page: z.string(),
	postTo: z.string()
});

export const FeedSchema: z.ZodType<Feed> = z.strictObject({
	format: z.literal(FEED_FORMAT),
	version: z.literal(FEED_VERSION),
	burns: z.array(BurnSchema),
	next: z.string().nullable().describe(fields.next)
});

const OneBurn = z.strictObject({
	format: z.literal(FEED_FORMAT),
	version: z.literal(FEED_VERSION),
	burn: BurnSchema
});

const Given = z.strictObject({
	txid: Hash,
	state: z.string(),
	message: z.string().describe(fields.message),
	notary: z.string().nullable(),
	approvalsCounted: z.int(),
	approvalsNeeded: z.int()
});

const Refused = z.strictObject({
	error: z.strictObject({ code: z.string(), message: z.string() })
});

/** A public operation; the description converts its schemas into JSON Schema. */
export interface PublicOperation {
	path: string;
	method: 'get' | 'post';
	id: string;
	summary: string;
	parameters: readonly { name: string; in: 'path' | 'query'; description: string }[];
	body?: z.ZodType;
	answers: Readonly<Record<string, { description: string; schema: z.ZodType }>>;
}

const TXID = { name: 'txid', in: 'path', description: texts.txid } as const;

/** The public operations, which are allowed from any site. */
export const notaryApprovalOperations: readonly PublicOperation[] = [
	{
		path: '/api/notary-approvals.json',
		method: 'get',
		id: 'backup-feed',
		summary: texts.feed.summary,
		parameters: [{ name: 'after', in: 'query', description: texts.after }],
		answers: { '200': { description: texts.feed.page, schema: FeedSchema } }
	},
	{
		path: '/api/notary-approvals/{txid}',
		method: 'get',
		id: 'backup-burn',
		summary: texts.one.summary,
		parameters: [TXID],
		answers: {
			'200': { description: texts.one.found, schema: OneBurn },
			'404': { description: texts.unknown, schema: Refused }
		}
	},
	{
		path: '/api/notary-approvals/{txid}',
		method: 'post',
		id: 'give-approval',
		summary: texts.submit.summary,
		parameters: [TXID],
		body: z.strictObject({ txid: Hash }),
		answers: {
			'200': { description: texts.submit.found, schema: Given },
			'202': { description: texts.submit.kept, schema: Given },
			'400': { description: texts.submit.notATxid, schema: Refused },
			'404': { description: texts.unknown, schema: Refused },
			'409': {
				description: texts.submit.closed,
				schema: Refused
			},
			'413': { description: texts.submit.tooLarge, schema: Refused },
			'422': { description: texts.submit.noApproval, schema: Refused },
			'429': { description: texts.submit.tooMany, schema: Refused },
			'503': { description: texts.submit.offline, schema: Refused }
		}
	}
];
