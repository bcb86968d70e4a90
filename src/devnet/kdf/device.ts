import { createHash, randomInt } from 'node:crypto';
import { bytesToHex } from '#lib/chain/bytes.ts';
import { hash160 } from '#lib/chain/hash.ts';
import { entropyToMnemonic, englishWords, KeyTree } from '#lib/chain/hdKey.ts';
import { publicKeyOf } from '#lib/chain/key.ts';

/** Keys of the numeric pad from the top left to the bottom right: what a person presses. */
const PAD = '789456123';

/** What a device says no with. */
export type DeviceFailure = 'InvalidPin' | 'UserCancelled' | 'NoTrezorDeviceAvailable';

/** A simulated hardware wallet that shows its digits in another order each time a PIN is wanted. */
export class Device {
	readonly id: string;
	readonly #seed: string;
	#tree: KeyTree | null = null;
	isPlugged: boolean;
	pin: string;
	/** Asks for a PIN each time; else once for each time it is plugged in. */
	asksAlways = true;
	#unlocked = false;
	#grid: string | null = null;
	/** Wrong PINs since the last right one. */
	wrongPins = 0;

	constructor(seed: string, isPlugged: boolean) {
		this.#seed = seed;
		this.isPlugged = isPlugged;
		const digits = createHash('sha256').update(`pin ${seed}`).digest();
		this.pin = [...digits.subarray(0, 4)].map((byte) => 1 + (byte % 9)).join('');
		this.id = createHash('sha256')
			.update(`device ${seed}`)
			.digest('hex')
			.slice(0, 24)
			.toUpperCase();
	}

	/** The device's own keys; made when they are first wanted, because that takes a while. */
	get keys(): KeyTree {
		const entropy = createHash('sha256').update(`words ${this.#seed}`).digest().subarray(0, 16);
		this.#tree ??= new KeyTree(entropyToMnemonic(new Uint8Array(entropy), englishWords));
		return this.#tree;
	}

	/** What tells one device from another: the hash of a key, 40 hex digits. */
	get pubkey(): string {
		return bytesToHex(hash160(publicKeyOf(this.keys.keyAt("m/44'/141'/0'"))));
	}

	plug(plugged: boolean): void {
		this.isPlugged = plugged;
		this.#unlocked = false;
		if (!plugged) this.#grid = null;
	}

	get wantsPin(): boolean {
		return this.asksAlways || !this.#unlocked;
	}

	/** Shows the digits; the order is another one each time. */
	showGrid(): void {
		const digits = [...'123456789'];
		for (let at = digits.length - 1; at > 0; at--) {
			const other = randomInt(at + 1);
			[digits[at], digits[other]] = [digits[other]!, digits[at]!];
		}
		this.#grid = digits.join('');
	}

	hideGrid(): void {
		this.#grid = null;
	}

	/** The digits on the display, from the top left; null while none are shown. */
	get grid(): string | null {
		return this.#grid;
	}

	/** What somebody who knows the PIN and sees the display would press. */
	get rightPositions(): string | null {
		const grid = this.#grid;
		return grid && [...this.pin].map((digit) => PAD[grid.indexOf(digit)]!).join('');
	}

	/** Takes pressed positions; true when they are the PIN. */
	enter(positions: string): boolean {
		const right = this.rightPositions !== null && positions === this.rightPositions;
		this.#grid = null;
		this.#unlocked = right;
		this.wrongPins = right ? 0 : this.wrongPins + 1;
		return right;
	}
}
