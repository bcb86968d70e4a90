/** The icons of pages, by subject. */
import ArrowRightLeft from '@lucide/svelte/icons/arrow-right-left';
import BadgeCheck from '@lucide/svelte/icons/badge-check';
import Binary from '@lucide/svelte/icons/binary';
import BookUser from '@lucide/svelte/icons/book-user';
import CircleQuestionMark from '@lucide/svelte/icons/circle-question-mark';
import Coins from '@lucide/svelte/icons/coins';
import Gauge from '@lucide/svelte/icons/gauge';
import ListTree from '@lucide/svelte/icons/list-tree';
import LockKeyhole from '@lucide/svelte/icons/lock-keyhole';
import ReceiptText from '@lucide/svelte/icons/receipt-text';
import Scale from '@lucide/svelte/icons/scale';
import ScrollText from '@lucide/svelte/icons/scroll-text';
import Server from '@lucide/svelte/icons/server';
import ShieldAlert from '@lucide/svelte/icons/shield-alert';
import Signature from '@lucide/svelte/icons/signature';
import SquareTerminal from '@lucide/svelte/icons/square-terminal';
import UserCheck from '@lucide/svelte/icons/user-check';
import Users from '@lucide/svelte/icons/users';
import WalletIcon from '@lucide/svelte/icons/wallet';
import Webhook from '@lucide/svelte/icons/webhook';
import Waypoints from '@lucide/svelte/icons/waypoints';

export const ICONS = {
	migrations: ArrowRightLeft,
	transfers: ListTree,
	routes: Waypoints,
	reconciliation: Scale,
	notaryApprovals: BadgeCheck,
	wallets: WalletIcon,
	transactions: ReceiptText,
	approvals: UserCheck,
	addressBook: BookUser,
	coins: Coins,
	signing: Signature,
	console: SquareTerminal,
	decoder: Binary,
	help: CircleQuestionMark,
	daemons: Server,
	members: Users,
	policies: Gauge,
	safety: ShieldAlert,
	security: LockKeyhole,
	adminNotifications: Webhook,
	audit: ScrollText
} as const;

export type IconName = keyof typeof ICONS;
