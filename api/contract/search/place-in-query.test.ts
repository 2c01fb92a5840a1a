import { describe, expect, test } from 'vitest';
import { findPlaceInQuery } from './place-in-query.ts';

const ANYWHERE = { state: null, districts: [] };

/** The place as text, and the rest: 'Mandi, Himachal Pradesh | road'. */
function read(text: string, context: Parameters<typeof findPlaceInQuery>[1] = ANYWHERE): string | null {
  const place = findPlaceInQuery(text, context);
  if (!place) return null;
  const districts = place.districts.map(({ state, district }) => `${district}, ${state}`);
  return `${[...districts, place.state].filter(Boolean).join(' + ')} | ${place.rest}`;
}

describe('a place in the words', () => {
  test.each([
    ['nali nirman odisha', 'Odisha | nali nirman'],
    ['mandi', 'Mandi, Himachal Pradesh | '],
    ['pwd road mandi', 'Mandi, Himachal Pradesh | pwd road'],
    ['road repair mandi', 'Mandi, Himachal Pradesh | road repair'],
    ['Shimla c/o r/wall', 'Shimla, Himachal Pradesh | c/o r/wall'],
    ['school in kangra district', 'Kangra, Himachal Pradesh | school'],
    ['zila una sadak', 'Una, Himachal Pradesh | sadak'],
    ['bridge mandi himachal', 'Mandi, Himachal Pradesh + Himachal Pradesh | bridge'],
    ['मंडी में सड़क', 'Mandi, Himachal Pradesh | सड़क'],
    ['दवा असम', 'Assam | दवा'],
    ['lahaul and spiti road', 'Lahaul and Spiti, Himachal Pradesh | road'],
    ['simla school', 'Shimla, Himachal Pradesh | school'],
    ['drain gauhati', 'Kamrup Metropolitan, Assam + Kamrup, Assam | drain'],
    ['गुवाहाटी drain', 'Kamrup Metropolitan, Assam + Kamrup, Assam | drain'],
    ['road; mandi', 'Mandi, Himachal Pradesh | road'],
    ['mandi: road', 'Mandi, Himachal Pradesh | road'],
    ['drain guwahati', 'Kamrup Metropolitan, Assam + Kamrup, Assam | drain'],
    ['road hamirpur', 'Hamirpur, Himachal Pradesh + Hamirpur, Uttar Pradesh | road'],
    ['road hamirpur hp', 'Hamirpur, Himachal Pradesh + Himachal Pradesh | road'],
    ['supply of pipes solan urgent', 'Solan, Himachal Pradesh | supply of pipes urgent'],
    ['kangra odisha', 'Odisha | kangra'],
    ['road hp', 'Himachal Pradesh | road'],
    ['rampur district road', 'Rampur, Uttar Pradesh | road'],
    ['school in sidhi district', 'Sidhi, Madhya Pradesh | school'],
    ['जिला बस्ती सड़क', 'Basti, Uttar Pradesh | सड़क'],
    ['hp road', 'Himachal Pradesh | road'],
    ['road, mandi', 'Mandi, Himachal Pradesh | road'],
    ['mandi - road', 'Mandi, Himachal Pradesh | road'],
    ['road in mandi near school', 'Mandi, Himachal Pradesh | road near school'],
    ['road at una', 'Una, Himachal Pradesh | road'],
    ['mandi district road', 'Mandi, Himachal Pradesh | road'],
    ['dam in kullu district for pwd', 'Kullu, Himachal Pradesh | dam for pwd'],
    ['solan himachal road', 'Solan, Himachal Pradesh + Himachal Pradesh | road'],
    ['road kinnaur, himachal pradesh', 'Kinnaur, Himachal Pradesh + Himachal Pradesh | road'],
    ['assam assam road', 'Assam | assam road'],
    ['road chandigarh', 'Chandigarh | road'],
    ['new delhi road', 'New Delhi, Delhi | road'],
    ['dist mon road', 'Mon, Nagaland | road'],
    ['drain ward 7 solan', 'Solan, Himachal Pradesh | drain ward 7'],
    ['hamirpur', 'Hamirpur, Himachal Pradesh + Hamirpur, Uttar Pradesh | '],
  ])('%s → %s', (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  test.each([
    ['a market is no district', 'sabzi mandi'],
    ['a market yard is no district', 'mandi samiti office'],
    ['a yard of a market is no district', 'mandi yard'],
    ['a grain market is no district', 'anaj mandi'],
    ['a fruit market is no district', 'fal mandi'],
    ['a market of farm produce is no district', 'krishi upaj mandi'],
    ['a market of produce is no district', 'upaj mandi'],
    ['two districts are the course of a road', 'mandi kullu road'],
    ['a district after "to" is the end of a road', 'road to kullu'],
    ['a district after "from" is the start of a road', 'road from kullu'],
    ['a district before "se" is the start of a road', 'kullu se sadak'],
    ['a district before "tak" is the end of a road', 'kullu tak sadak'],
    ['a point of the compass is no district', 'east wing'],
    ['a short name with other meanings is no district', 'mau'],
    ['a name with another meaning needs the word district', 'central store'],
    ['two letters are no state', 'up gradation'],
    ['part of the name of a body', 'himachal road transport corporation'],
    ['a tender id is searched as it is', '2025_HP_1234_1 mandi'],
    ['a town is a word', 'rohru road'],
    ['a horsepower is no state', 'submersible pump 5 hp'],
    ['a maker of computers is no state', 'laptop hp'],
    ['a maker of computers before its computer is no state', 'hp laptop'],
    ['a horsepower before its pump is no state', 'hp pump'],
    ['two districts with "and" are no place', 'supply in solan and una'],
    ['two districts apart are no place', 'road mandi school solan'],
    ['a state inside the words is no place', 'pwd himachal road bridge'],
    ['a district before "se" alone is the start of a road', 'una se'],
    ['the word district alone is no place', 'school zila'],
    ['a stone is no district', 'kota stone flooring'],
    ['a hamlet is no district', 'harijan basti road'],
    ['a habitation is no district', 'drain habitation'],
    ['stairs are no district', 'repair of stairs'],
    ['a staircase is no district', 'staircase'],
    ['stairs in Hindi are no district', 'सीढ़ी'],
    ['stairs in Hindi are no district, in Latin letters', 'sidhi nirman'],
    ['a town of Himachal is no district of another state', 'rampur bushahr hospital'],
    ['a body is no state', 'assam rifles'],
    ['a bank is no state', 'punjab national bank'],
  ])('%s: %s', (_, text) => {
    expect(read(text)).toBe(null);
  });

  const each = (words: string, expected: (word: string) => unknown) => {
    for (const word of words.split(' ')) expect([word, expected(word)]).toEqual([word, true]);
  };

  test('a name with another meaning is a place only next to the word district', () => {
    expect(read('road mau district')).toBe('Mau, Uttar Pradesh | road');
    each('district distt dist zila jila जिला जनपद', (word) => read(`${word} mau road`) === 'Mau, Uttar Pradesh | road');
    const names =
      'central north south east west krishna kota anand sagar pali basti sidhi dang mau leh bid mon phek tapi guna ntr';
    each(names, (name) => read(`${name} road`) === null && read(`district ${name} road`) !== null);
  });

  test('words without a meaning at the ends, and words that go with a place, leave it a place', () => {
    const fillers =
      'a an and at by from for in near of on or the to with tender tenders etender me mein main ka ki ke ko aur se ' +
      'kaam kam का की के को में मे से पर और';
    each(fillers, (word) => read(`road assam ${word}`)?.startsWith('Assam | road'));
    each('in at near mein me में state from', (word) => read(`road ${word} assam bridge`) === 'Assam | road bridge');
    each('mein me में state', (word) => read(`road assam ${word} bridge`) === 'Assam | road bridge');
    expect(read('road assam bridge')).toBe(null);
  });

  test('a name is not a place next to words for a market, a body, an engine or a route', () => {
    const markets = 'sabzi sabji subzi anaj fal fruit grain krishi upaj yard samiti सब्जी अनाज फल';
    each(markets, (word) => read(`${word} mandi`) === null && read(`mandi ${word} shed`) === null);
    each('rifles regiment national university', (word) => read(`assam ${word}`) === null);
    const engines = 'pump motor engine submersible laptop desktop printer computer ink toner';
    each(engines, (word) => read(`${word} hp`) === null && read(`hp ${word}`) === null);
    each('to from se tak', (word) => read(`road ${word} kullu`) === null && read(`kullu ${word} road`) === null);
  });

  test('the place filter decides what a name can mean', () => {
    expect(read('road hamirpur', { state: 'Uttar Pradesh', districts: [] })).toBe('Hamirpur, Uttar Pradesh | road');
    expect(read('road rampur', { state: 'Uttar Pradesh', districts: [] })).toBe('Rampur, Uttar Pradesh | road');
    expect(read('road mandi', { state: 'Assam', districts: [] })).toBe(null);
    expect(read('road mandi', { state: 'Himachal Pradesh', districts: ['Kullu'] })).toBe(null);
    expect(read('road mandi', { state: 'Himachal Pradesh', districts: ['Kullu', 'Mandi'] })).toBe(
      'Mandi, Himachal Pradesh | road',
    );
  });

  test.each([
    ['school in Kangra distt', 'in Kangra distt', 'school'],
    ['Road kinnaur, Himachal Pradesh', 'kinnaur Himachal Pradesh', 'Road'],
    ['Mandi  District: road', 'Mandi District', 'road'],
  ])('the words of "%s" that were read as the place are named as they were typed', (typed, text, rest) => {
    expect(findPlaceInQuery(typed, ANYWHERE)).toMatchObject({ text, rest });
  });

  test('a filter of a state leaves its own name in the words, and that of another state is a word', () => {
    expect(read('road assam', { state: 'Assam', districts: [] })).toBe('Assam | road');
    expect(read('road assam', { state: 'Goa', districts: [] })).toBe(null);
    expect(read('mandi himachal road', { state: 'Himachal Pradesh', districts: [] })).toBe(
      'Mandi, Himachal Pradesh + Himachal Pradesh | road',
    );
  });
});

describe('a name in an Indian script that is in no list', () => {
  test.each([
    ['उदालगुरी रोड', 'Udalguri', 'रोड'],
    ['नगांव में पुल', 'Nagaon', 'पुल'],
    ['पुल बालासोर', 'Balasore', 'पुल'],
    ['नवरंगपुर', 'Nabarangpur', ''],
    ['पश्चिम मेदिनीपुर सड़क', 'Paschim Medinipur', 'सड़क'],
    ['ওদালগুৰি', 'Udalguri', ''],
  ])('%s is in %s', (text, district, rest) => {
    const place = findPlaceInQuery(text, { state: null, districts: [] });
    expect(place?.districts.map((each) => each.district)).toEqual([district]);
    expect(place?.rest).toBe(rest);
  });

  test('of two consonants needs the word district', () => {
    expect(findPlaceInQuery('कोरबा पुल', { state: null, districts: [] })?.districts).toHaveLength(1);
    expect(findPlaceInQuery('কোরা', { state: null, districts: [] })).toBeNull();
    expect(findPlaceInQuery('जिला पुरी', { state: null, districts: [] })?.districts).toHaveLength(1);
  });

  test.each(['हॉल', 'लाइट रिपेयर', 'सिविल वर्क', 'पाइप', 'स्टोर रूम', 'गार्डन', 'डोर'])('%s is a work', (text) => {
    expect(findPlaceInQuery(text, { state: null, districts: [] })).toBeNull();
  });
});
