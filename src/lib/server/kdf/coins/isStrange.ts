import type { Coin } from './parse.ts';
import { isAddressOf } from './keyAddresses.ts';

/** Whether a trading node gave this address for a coin that cannot have it: coins sent there could be lost. */
export const isStrange = (address: string, coin: Coin | undefined): boolean =>
	coin !== undefined && address !== '' && !isAddressOf(address, coin);
