/** The parts of the application that pages use. */
import type { AccessRequests } from './access/access-requests/accessRequests.ts';
import type { Approvals } from './access/approvals/approvals.ts';
import type { Sessions } from './access/accounts/session.ts';
import type { Audit } from './access/audit/audit.ts';
import type { Refusals } from './access/audit/refusals.ts';
import type { Notifications } from './access/notifications/notifications.ts';
import type { CallPolicy } from './access/calls/authorizeCall.ts';
import type { Limits } from './access/policy/limits/limits.ts';
import type { Measurer } from './access/policy/measuring/measurer.ts';
import type { Proposals } from './access/proposals/proposals.ts';
import type { Rights } from './access/rights/rights.ts';
import type { Policies } from './access/policy/rules/policies.ts';
import type { SafetyControls } from './access/policy/safety-controls/safetyControls.ts';
import type { Wallets } from './access/policy/wallets/wallets.ts';
import type { Auth } from './access/requests/auth.ts';
import type { SavedFilters } from './access/saved-filters/savedFilters.ts';
import type { Live } from './api/live/live.ts';
import type { Gateway } from './chains/daemon/types.ts';
import type { Index } from './chains/indexer/open.ts';
import type { IndexOrders } from './chains/indexer/orders.ts';
import type { FirstStepsReader } from './cross-chain/first-steps/firstSteps.ts';
import type { Migrations } from './cross-chain/migration/createMigrations.ts';
import type { NotaryApprovals } from './cross-chain/notary-approvals/notaryApprovals.ts';
import type { ApprovalQueues } from './cross-chain/notary-approvals/queue/approvalQueues.ts';
import type { WaitingReader } from './cross-chain/open-work/waiting.ts';
import type { SelfImports } from './cross-chain/self-import/selfImports.ts';
import type { Db } from './database.ts';
import type { Activations } from './kdf/activations.ts';
import type { KdfGateway } from './kdf/client/kdfTypes.ts';
import type { Metrics } from './metrics.ts';
import type { Config } from './platform/config/types.ts';
import type { DiskWatch } from './platform/disk/diskWatch.ts';
import type { SharedPages } from './platform/http/sharedPages.ts';
import type { OnceForms } from './platform/idempotency/onceForms.ts';
import type { OpenFiles } from './platform/rate-limits/openFiles.ts';
import type { RequestBudget } from './platform/rate-limits/throttleRequests.ts';
import type { RunningApp } from './platform/runningParts.ts';
import type { Console } from './rpc-proxy/console/console.ts';
import type { AddressBook } from './wallet/address-book/addressBook.ts';
import type { BatchTransferSender } from './wallet/batch-transfers/batchTransfers.ts';
import type { Drafts } from './wallet/drafts/drafts.ts';
import type { Sender } from './wallet/transactions/sender.ts';

export interface App extends RunningApp {
	config: Config;
	db: Db;
	auth: Auth;
	audit: Audit;
	sessions: Sessions;
	gateway: Gateway;
	/** Trading nodes: their configuration, their health, and calls to them. */
	nodes: KdfGateway;
	/** Coins of the trading nodes: activation, PINs, signatures. */
	activations: Activations;
	/** Controls that stop all sends, or all changes, at once. */
	safetyControls: SafetyControls;
	/** Records what people and tokens attempted without having the right. */
	refusals: Refusals;
	/** Who may use which wallet, and the spending limits per day. */
	wallets: Wallets;
	limits: Limits;
	rights: Rights;
	/** Policy rules that judge outgoing transactions. */
	policies: Policies;
	/** Continues approved burns, and expires requests that were not approved in time, as rounds do. */
	afterApprovals(): Promise<boolean>;
	/** What bytes take and move. */
	measurer: Measurer;
	/** Approval requests for transactions. */
	approvals: Approvals;
	/** Changes of rights that other admins must approve. */
	proposals: Proposals;
	/** Members' requests for rights. */
	accessRequests: AccessRequests;
	/** Notices to members, and their channels. */
	notifications: Notifications;
	/** Saved filters of lists. */
	savedFilters: SavedFilters;
	/** The index of the chains; read-only, and from the standby when there is one. */
	index: Index;
	/** Admins' orders for the index; writes. */
	indexOrders: IndexOrders;
	/** Pushes events to open pages. */
	live: Live;
	/** Cache of pages that are the same for all visitors. */
	sharedPages: SharedPages;
	sender: Sender;
	selfImports: SelfImports;
	migrations: Migrations;
	/** Checklist for admins of a new installation. */
	firstSteps: FirstStepsReader;
	/** Counts the open work of members. */
	waiting: WaitingReader;
	/** Published burns and their notary approvals. */
	notaryApprovals: NotaryApprovals;
	/** Queues of burns that are approved together. */
	approvalQueues: ApprovalQueues;
	/** Drafts of token creations. */
	drafts: Drafts;
	/** Transfers of one token to many recipients. */
	batchTransfers: BatchTransferSender;
	/** The team's labels for pubkeys, addresses, tokens and chains. */
	addressBook: AddressBook;
	/** Calls that people make by hand. */
	console: Console;
	/** Authorizes calls of people and scripts. */
	policy: CallPolicy;
	/** Whether the daemons are devnet's: their coins have no value, and pages say so. */
	devnet: boolean;
	/** Watches the disk of the data folder, of which the index leaves a reserve free. */
	disk: DiskWatch;
	/** Metrics for monitoring. */
	metrics: Metrics;
	/** Executes forms with an idempotency key once. */
	onceForm: OnceForms;
	/** Request limits of pages per caller. */
	requestBudget: RequestBudget;
	/** Files that are being downloaded. */
	openFiles: OpenFiles;
}
