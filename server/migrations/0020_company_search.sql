-- schema: worlds
-- Text as search compares it: compatibility forms and accents taken apart and the marks dropped, letters that have no
-- such form spelled out, everything in small letters. The database's locale is not asked: it differs between servers.
create function search_fold(given text) returns text
  language sql immutable parallel safe
  return replace(replace(replace(translate(
    lower(regexp_replace(normalize(given, nfkd), '[\u0300-\u036f''’`]', '', 'g') collate "C"),
    'ØøŁłĐđıÆŒАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩς',
    'oollddiæœабвгдежзиклмнопрстуфхцчшщъыьэюяαβγδεζηθικλμνξοπρστυφχψωσ'),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe');

-- The words of folded text: what stands between spaces and punctuation.
create function search_words(folded text) returns text[]
  language sql immutable parallel safe
  return array_remove(regexp_split_to_array(folded, '[\s\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00a0-\u00bf\u2000-\u206f]+'), '');

-- What names are found by: of every word, and of all of them written as one, each three letters in a row, with two
-- spaces before the word. A word's beginning has all of its own, and a word with a mistake still most of them.
create function search_grams(words text[]) returns text[]
  language sql immutable parallel safe
  return array(
    select distinct substr('  ' || word, n, 3)
      from unnest(words || array_to_string(words, '')) as word
     cross join generate_series(1, char_length(word)) as n
     where word <> '');

-- Module catalog. The beginnings and middles of companies' names, for search. `grams` is how many the name has: of two
-- names that have the same in common with what is looked for, the shorter is closer to it, so they are read in that order.
-- From the index alone, which is why autovacuum comes by often.
create table company_grams (
  gram text collate "C" not null,
  company_id text collate "C" not null,
  grams integer not null,
  constraint company_grams_pkey primary key (gram, grams, company_id),
  constraint company_grams_gram_length check (char_length(gram) between 1 and 3),
  constraint company_grams_company_fkey foreign key (company_id) references companies (id)
) with (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.02);

create index company_grams_company on company_grams (company_id);

do $outside$
begin
  execute format($inside$
    create function index_company_name() returns trigger language plpgsql as $body$
    declare
      all_grams text[] := %1$I.search_grams(%1$I.search_words(%1$I.search_fold(new.name)));
    begin
      delete from %1$I.company_grams where company_id = new.id;
      insert into %1$I.company_grams (gram, company_id, grams)
      select gram, new.id, cardinality(all_grams) from unnest(all_grams) as gram;
      return null;
    end $body$
  $inside$, current_schema());
end $outside$;

create trigger companies_name_indexed after insert on companies
  for each row execute function index_company_name();
create trigger companies_name_indexed_again after update of name on companies
  for each row when (old.name <> new.name) execute function index_company_name();

insert into company_grams (gram, company_id, grams)
select gram, named.id, cardinality(named.grams)
  from (select id, search_grams(search_words(search_fold(name))) as grams from companies) named
 cross join unnest(named.grams) as gram;
