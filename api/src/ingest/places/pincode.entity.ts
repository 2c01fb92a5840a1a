import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A district of a PIN code; `share` is its part of the code's post offices, 0 to 1. */
@Entity('pincode')
export class PincodeEntity {
  @PrimaryColumn('text')
  pincode!: string;

  @PrimaryColumn('text')
  state!: string;

  @PrimaryColumn('text')
  district!: string;

  @Column('real')
  share!: number;
}
