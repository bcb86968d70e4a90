import { beforeAll, describe, expect, test } from 'vitest';
import { parseCoins } from '#lib/chain/amount.ts';
import { describeOnBothDatabases } from '../../support/database.ts';
import { startDevnet } from '../../support/devnet.ts';
import {
	addressOn,
	carry,
	draftBurn,
	gatewayTo,
	idOfDraft,
	migrationsOver,
	paidTo,
	placesOf
} from './support.ts';
import { shared } from '../../support/shared.ts';

/** The checks' results for a daemon with default options: missing optional indexes stop no migration. */
const WITHOUT_INDEXES = {
	txindex: 'ok',
	addressindex: 'warn',
	spentindex: 'warn',
	timestampindex: 'ok'
};

describe.each(['fast', 'plain', 'seed'] as const)('on a network of the profile %s', (profile) => {
	describeOnBothDatabases('coins carried from ALPHA to BETA', (database) => {
		let to: string;
		const net = shared(() => startDevnet({ profile }));
		const gateway = shared(() => gatewayTo(placesOf(net)));
		beforeAll(async () => {
			to = await addressOn(net, 'BETA');
		});

		test.each(['1.15', '0.00000001', '8.2', '4.35', '999999.99999999'])(
			'%s coins arrive to the satoshi',
			async (amount) => {
				const migrations = migrationsOver(database.db, gateway);
				const drafted = await draftBurn(migrations, { address: to, amount });
				const id = idOfDraft(drafted);
				const checks = drafted.kind === 'drafted' ? drafted.checks : [];
				for (const chain of ['ALPHA', 'BETA']) {
					for (const [name, result] of Object.entries(WITHOUT_INDEXES)) {
						const found = checks.find((check) => check.id === `${name}-${chain}`);
						const state = profile === 'plain' && name !== 'txindex' ? 'off' : 'on';
						expect(found?.message).toMatchObject({
							code: `index.${state}`,
							params: { index: name, chain }
						});
						expect(found?.result).toBe(profile === 'plain' ? result : 'ok');
					}
				}
				expect(await migrations.confirm(id, 'ada')).toEqual({ kind: 'confirmed' });
				expect(await carry(net, migrations, id)).toBe('done');
				const { steps, row } = (await migrations.get(id))!;
				const txid = steps.get('import-confirmed')!.txid!;
				expect(await paidTo(net, 'BETA', txid, to)).toBe(parseCoins(amount));
				expect(row.lease_owner).toBeNull();
			}
		);
	});
});
