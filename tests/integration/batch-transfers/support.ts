import { bytesToHex } from '#lib/chain/bytes.ts';
import { publicKeyOf } from '#lib/chain/key.ts';
import { createAudit } from '#lib/server/access/audit/audit.ts';
import type { Gateway } from '#lib/server/chains/daemon/types.ts';
import type { Db } from '#lib/server/database.ts';
import { locks } from '#lib/server/locks.ts';
import {
	createAddressBook,
	type AddressBook
} from '#lib/server/wallet/address-book/addressBook.ts';
import type { TypedRow } from '#lib/server/wallet/batch-transfers/read.ts';
import {
	createBatchTransfers,
	type Reviewed,
	type BatchTransferSender
} from '#lib/server/wallet/batch-transfers/batchTransfers.ts';
import { createSender, type Sender } from '#lib/server/wallet/transactions/sender.ts';
import { noApprovals, permissiveRights } from '../../support/permissive.ts';

export interface Parts {
	sender: Sender;
	addressBook: AddressBook;
	batchTransfers: BatchTransferSender;
}

/**
 * Everything that sends a series, over one database and one gateway.
 * @param hold makes room for others between two steps of the sender
 */
export function partsOver(
	db: Db,
	gateway: Gateway,
	clock: () => number = Date.now,
	audit = createAudit(db, new Uint8Array(32)),
	hold: (sender: Sender) => Sender = (sender) => sender
): Parts {
	const rights = permissiveRights(gateway);
	const sender = hold(
		createSender({ locks, db, gateway, audit, rights, approvals: noApprovals, clock })
	);
	const addressBook = createAddressBook(db, audit);
	return {
		sender,
		addressBook,
		batchTransfers: createBatchTransfers({ db, gateway, audit, sender, addressBook, rights, clock })
	};
}

/** The public key of a recipient. */
export const keyOf = (n: number): string =>
	bytesToHex(
		publicKeyOf(
			new Uint8Array(32)
				.fill(1)
				.with(0, n & 0xff)
				.with(1, 1 + (n >> 8))
		)
	);

export const rowsOf = (
	...rows: readonly (readonly [recipient: string, amount: string])[]
): TypedRow[] => rows.map(([recipient, amount]) => ({ recipient, amount }));

export function idOf(reviewed: Reviewed): string {
	if (!reviewed.ok) throw new Error(JSON.stringify(reviewed));
	return reviewed.id;
}
